"""DeLong's tests."""
