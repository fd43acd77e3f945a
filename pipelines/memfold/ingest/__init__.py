"""Source files to messages: one reader a dialect, one normaliser, dead letters for what cannot be read."""
