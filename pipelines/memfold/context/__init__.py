"""What a reader is given to answer a probe, and the readers."""
