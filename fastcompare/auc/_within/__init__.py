"""AUCs within groups: users, queries, centres."""
