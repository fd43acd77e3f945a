"""The arms of a search: each scores every exchange of a conversation for a question, in its own way."""
