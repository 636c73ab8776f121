// Package static contains the style sheets, scripts and images of the pages.
package static

import "embed"

//go:generate go tool -modfile=../../tools/go.mod esbuild js/pages/*.js --bundle --minify --format=esm --target=es2023 --charset=utf8 --log-level=warning --outdir=built

// Files has all static files, with the licences and checksums of third-party files. The scripts in built are built
// from those in js, one for each file in js/pages.
//
//go:embed *.css *.svg built vendored
var Files embed.FS
