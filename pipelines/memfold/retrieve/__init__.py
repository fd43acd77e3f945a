"""Finding the exchanges that bear on a question: query analysis, arms and their fusion, steps over the ranking."""
