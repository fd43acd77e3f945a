"""What is done to a whole ranking after the arms have scored: each step gives another ranking of the same exchanges."""
