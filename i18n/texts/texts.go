// Package texts contains the texts of every language, and in style how each is written. It holds nothing else, so that a changed text
// compiles only this package and i18n anew.
package texts

import "embed"

// Files are a catalog for each language, named by its tag, and below style what Check must know of it.
//
//go:embed *.json style/*.json
var Files embed.FS
