// Package docs has the pages of this folder that the program itself shows.
package docs

import _ "embed"

// Build tells programmers how to build on Kalends, in Markdown. Its addresses begin with Example.
//
//go:embed build.md
var Build string

// Example stands for the address of a calendar.
const Example = "https://calendar.example"
