package ui

// Page is the address of a page. Its path has "#" for an id, ":name" for a word and "*" for the rest.
type Page struct{ Method, Path string }
