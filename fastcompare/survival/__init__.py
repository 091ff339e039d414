"""Times to an event, with censoring: concordance of scores with the order of events."""
