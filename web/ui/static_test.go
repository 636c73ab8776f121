package ui

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/kalends/kalends/web/static"
)

// What others wrote and we build with is what was made of their packages.
func TestScriptsOfOthersAreAsMade(t *testing.T) {
	t.Parallel()
	sums, err := os.ReadFile("../static/js/vendored/SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	body, err := os.ReadFile("../static/js/vendored/prosemirror.js")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(body)
	if got := hex.EncodeToString(sum[:]) + "  prosemirror.js\n"; got != string(sums) {
		t.Errorf("the sum is %s, not %s", got, sums)
	}
}

// What others wrote is what they released: nobody edits it here.
func TestVendoredFilesAreAsReleased(t *testing.T) {
	t.Parallel()
	sums, err := static.Files.ReadFile("vendored/SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	told, err := static.Files.ReadFile("vendored/README.md")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for line := range strings.Lines(string(sums)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		want[name] = sum
	}
	entries, err := fs.ReadDir(static.Files, "vendored")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		name := entry.Name()
		if !served[path.Ext(name)] && path.Ext(name) != ".css" {
			continue
		}
		body, _ := static.Files.ReadFile("vendored/" + name)
		sum := sha256.Sum256(body)
		if got := hex.EncodeToString(sum[:]); want[name] != got {
			t.Errorf("%s has the sum %s, not %q", name, got, want[name])
		}
		if !strings.Contains(string(told), "`"+name+"`") {
			t.Errorf("README.md doesn't say where %s is from", name)
		}
		if path.Ext(name) != ".css" && Asset(name) == "" {
			t.Errorf("%s has no address", name)
		}
		delete(want, name)
	}
	for name := range want {
		t.Errorf("%s is in SHA256SUMS but not there", name)
	}
}

// The visual editor weighs what somebody with a slow connection can wait for.
func TestEditorIsLight(t *testing.T) {
	t.Parallel()
	if sent := len(loadedAssets().files[path.Base(Asset("editor.js"))].Best()); sent == 0 || sent > 70_000 {
		t.Errorf("the editor has %d bytes as sent", sent)
	}
}

// Fonts are what a page may wait for least: each is small, is there, and nothing jumps when it arrives. A page names those of its theme.
func TestFontsAreLight(t *testing.T) {
	t.Parallel()
	const most = 45_000
	named := map[string]bool{}
	var lines []string
	for theme, faces := range map[string]int{"": 0, "-journal": 6, "-poster": 4, "-board": 4, "-night": 4} {
		before := len(lines)
		for line := range strings.Lines(sheetOf(t, "public"+theme+".css")) {
			if strings.HasPrefix(line, "@font-face") {
				lines = append(lines, line)
			}
		}
		if n := len(lines) - before; n != faces {
			t.Errorf("public%s.css names %d fonts", theme, n)
		}
	}
	for _, line := range lines {
		if !strings.Contains(line, "font-display: optional") {
			t.Errorf("texts jump when a font arrives: %s", line)
		}
		_, rest, _ := strings.Cut(line, `url("`)
		name, _, _ := strings.Cut(rest, `"`)
		named[name] = true
		if file := loadedAssets().files[name]; file == nil {
			t.Errorf("%s is not served", name)
		} else if n := len(file.Body); n == 0 || n > most {
			t.Errorf("%s has %d bytes", name, n)
		}
	}
	if fonts, err := fs.Glob(static.Files, "vendored/*.woff2"); err != nil || len(fonts) != len(named) {
		t.Errorf("%d fonts are named and %d are there, %v", len(named), len(fonts), err)
	}
}

// A public page waits for its style sheet before it shows anything, so each weighs what a slow line brings in a tenth of a second.
func TestStyleSheetsAreLight(t *testing.T) {
	t.Parallel()
	for name := range bundles {
		most := map[bool]int{true: 10_500, false: 14_000}[name != "admin.css" && name != "embed.css"]
		if sent := len(loadedAssets().files[path.Base(Asset(name))].Best()); sent == 0 || sent > most {
			t.Errorf("%s has %d bytes as sent, more than %d", name, sent, most)
		}
	}
}

// What is left of a style sheet means the same: texts in quotes and spaces between selectors and numbers stay.
func TestMinified(t *testing.T) {
	t.Parallel()
	const sheet = "/* a, b */\n:root { --a: 1px ; }\n.a  .b > .c:is(d, e) + *::before { content: \"; { a \" / \"\"; margin: calc(1px + -1 * var(--a)) auto; }\n@media (width: 1px) and (x) {\n  a { b: c; } /* d */\n}\n"
	const want = `:root{--a:1px}.a .b>.c:is(d,e) + *::before{content:"; { a " / "";margin:calc(1px + -1 * var(--a)) auto}@media (width:1px) and (x){a{b:c}}`
	if got := string(minified([]byte(sheet))); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
