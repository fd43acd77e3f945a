"""What the extractive reader is made of: pure functions from a question and a context to quotes and their frame."""
