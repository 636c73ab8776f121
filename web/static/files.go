// Package static contains the style sheets, scripts and images of the pages.
package static

import "embed"

//go:generate go tool -modfile=../../tools/go.mod esbuild js/pages/*.js --bundle --minify --format=esm --target=es2023 --charset=utf8 --log-level=warning --outdir=built

// Files are all of them, and the licences and checksums of those from elsewhere. The scripts in built are made of those in js, one for
// each of js/pages.
//
//go:embed *.css *.svg built vendored
var Files embed.FS
