"""Finding the exchanges that bear on a question: query analysis, arms, fusion."""
