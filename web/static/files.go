// Package static contains the style sheets, scripts and images of the pages.
package static

import "embed"

// Files are all of them, and the licences and checksums of those from elsewhere.
//
//go:embed *.css *.js *.svg vendored
var Files embed.FS
