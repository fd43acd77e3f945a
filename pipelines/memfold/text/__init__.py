"""Text as everything above reads it: tokens, language, scripts, terms, sentences, dates."""
