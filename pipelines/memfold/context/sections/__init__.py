"""The sections of a context: each offers pieces, the page takes those that fit."""
