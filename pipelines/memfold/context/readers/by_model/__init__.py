"""What the reader that asks a model is made of: the asking, and what else its model is asked before it reads."""
