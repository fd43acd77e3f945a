"""A model that is none: endpoints with its pace and its faults, and what a sensible one would answer."""
