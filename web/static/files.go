// Package static is the style sheets, scripts and pictures of the pages.
package static

import "embed"

// Files are all of them, and the licences and checksums of those from elsewhere.
//
//go:embed *.css *.js *.svg vendored
var Files embed.FS
