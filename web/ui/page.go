package ui

// Page is one address of the pages: its path with "#" for an id, ":name" for a
// word and "*" for the rest.
type Page struct{ Method, Path string }
