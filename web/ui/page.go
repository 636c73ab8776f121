package ui

// Page is an address: its path with "#" for an id, ":name" for a word and "*" for the rest.
type Page struct{ Method, Path string }
