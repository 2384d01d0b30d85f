"""Players, training and evaluation over the environments; run from a checkout, not installed."""
