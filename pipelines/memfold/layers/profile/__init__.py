"""The profile: who the user is and how they want to be answered. `layer` finds what is said of it, `history` tells what
holds."""
