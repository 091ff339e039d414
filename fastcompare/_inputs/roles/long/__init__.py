"""Tables with a row for each model and case, data set or round, which are pivoted."""
