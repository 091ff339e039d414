"""How similarly models err: measures of pairs with intervals, and of all models together."""
