"""Bootstrap tests of AUCs."""
