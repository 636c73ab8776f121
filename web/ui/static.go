package ui

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"mime"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/internal/cache"
	"github.com/kalends/kalends/web/static"
)

// page are the first style sheets of all public pages and of embedded parts, in order.
var page = []string{"tokens.css", "themes.css", "tones.css", "base.css", "surfaces.css", "public.css", "public_list.css"}

// bundles are the style sheets that are combined into one file, in order. A page has the bundle of its site's
// theme, with the fonts of the theme. Styles that few pages need have separate bundles.
var bundles = map[string][]string{
	"public.css":         slices.Concat(page, []string{"print.css"}),
	"public-journal.css": slices.Concat([]string{"fonts_journal.css"}, page, []string{"theme_journal.css", "print.css"}),
	"public-poster.css":  slices.Concat([]string{"fonts_poster.css"}, page, []string{"theme_poster.css", "print.css"}),
	"public-board.css":   slices.Concat([]string{"fonts_sans.css"}, page, []string{"theme_board.css", "print.css"}),
	"public-night.css":   slices.Concat([]string{"fonts_sans.css"}, page, []string{"theme_night.css", "print.css"}),
	"event.css":          {"public_event.css"},
	"month.css":          {"public_month.css"},
	"reference.css":      {"reference.css"},
	"submit.css":         {"submit.css"},
	"poster.css":         {"poster.css"},
	"map.css":            {"vendored/leaflet.css", "map.css"},
	"embed.css": slices.Concat(page, []string{"public_month.css", "embed.css",
		"theme_journal.css", "theme_poster.css", "theme_board.css", "theme_night.css"}),
	"admin.css": {"tokens.css", "tones.css", "base.css", "surfaces_admin.css", "admin.css", "editor.css", "editor_repeat.css",
		"board.css", rowsFile},
}

// layerOrder is the order of the layers of all style sheets: a later layer overrides an earlier one, whatever the
// specificity of the rules.
const layerOrder = "@layer reset, tokens, base, surfaces, layout, components, pages, theme, state, print;\n"

// orderFile is the name of layerOrder among the style sheets.
const orderFile = "order"

// layers are the layers of the files in bundles. The styles of maps have no layer: they must override the style sheet
// of the map library, which has no layer either.
var layers = map[string]string{
	"fonts_journal.css": "tokens", "fonts_poster.css": "tokens", "fonts_sans.css": "tokens",
	"tokens.css": "tokens", "themes.css": "tokens", "tones.css": "tokens", "base.css": "base",
	"surfaces.css": "surfaces", "surfaces_admin.css": "surfaces",
	"public.css": "layout", "public_list.css": "components", "public_month.css": "components", "embed.css": "pages",
	"public_event.css": "pages", "reference.css": "pages", "submit.css": "pages", "poster.css": "pages", "theme_journal.css": "theme",
	"theme_poster.css": "theme", "theme_board.css": "theme", "theme_night.css": "theme", "print.css": "print",
	"admin.css": "layout", "editor.css": "layout", "editor_repeat.css": "layout", "board.css": "layout", rowsFile: "layout",
}

// layered returns a file of a bundle within its layer.
func layered(file string, content []byte) []byte {
	if layer := layers[file]; layer != "" {
		return []byte("@layer " + layer + " {\n" + string(content) + "}\n")
	}
	return content
}

// served are the extensions of files that are sent to browsers, besides style sheets. Licenses and checksums are
// stored in the same folders, but not sent.
var served = map[string]bool{".js": true, ".svg": true, ".woff2": true}

// fontTypes are the media types of fonts, which not every operating system knows.
var fontTypes = map[string]string{".woff2": "font/woff2"}

// assets are the files and bundles by name and by address.
type assets struct {
	addresses map[string]string         // name → address
	files     map[string]*cache.Lasting // last part of the address → content
}

// loadedAssets reads the embedded files once. Reading embedded files cannot fail; a test reads all of them.
var loadedAssets = sync.OnceValue(func() *assets {
	a := &assets{addresses: map[string]string{}, files: map[string]*cache.Lasting{}}
	err := fs.WalkDir(static.Files, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !served[path.Ext(file)] {
			return err
		}
		body, err := static.Files.ReadFile(file)
		a.add(path.Base(file), body)
		return err
	})
	small := map[string][]byte{} // most files are in several bundles
	part := func(file string) ([]byte, error) {
		var err error
		if small[file] == nil {
			var sheet []byte
			sheet, err = written(file)
			small[file] = minified(sheet)
		}
		return small[file], err
	}
	for name := range bundles {
		sheet, problem := bundled(name, part)
		err = cmp.Or(err, problem)
		a.add(name, sheet)
	}
	if err != nil {
		return &assets{}
	}
	return a
})

// bundled joins the style sheets of a bundle, each as returned by part.
func bundled(name string, part func(file string) ([]byte, error)) (sheet []byte, err error) {
	files := bundles[name]
	if layers[files[0]] != "" {
		files = slices.Concat([]string{orderFile}, files)
	}
	for _, file := range files {
		content, err := part(file)
		if err != nil {
			return nil, err
		}
		sheet = append(sheet, content...)
	}
	if name == "embed.css" {
		sheet = unscaled(sheet)
	}
	return sheet, nil
}

// written returns a style sheet of a bundle, not minified: within its layer, with a fallback for light-dark(), and
// with the addresses of fonts.
func written(file string) ([]byte, error) {
	switch file {
	case orderFile:
		return []byte(layerOrder), nil
	case rowsFile:
		return layered(file, rows()), nil
	}
	content, err := static.Files.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if file == "tones.css" {
		content = append(content, toneRules()...)
	}
	return withFonts(layered(file, withSchemes(content)))
}

// PublicSheet returns the address of the style sheet of the public pages of a site with a theme.
func PublicSheet(theme string) string {
	return cmp.Or(Asset("public-"+theme+".css"), Asset("public.css"))
}

var (
	cssComment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	// spaces matches texts in quotes, and white space with the characters that need none around them.
	spaces = regexp.MustCompile(`"[^"]*"|\s*[{};,>]\s*|:\s+|\s+`)
)

// minified returns a style sheet without comments and unnecessary spaces.
func minified(sheet []byte) []byte {
	sheet = cssComment.ReplaceAll(sheet, nil)
	sheet = spaces.ReplaceAllFunc(sheet, func(found []byte) []byte {
		if text := bytes.TrimSpace(found); len(text) > 0 {
			return text
		}
		return []byte(" ")
	})
	return bytes.TrimSpace(bytes.ReplaceAll(sheet, []byte(";}"), []byte("}")))
}

// stamped returns the name under which a file is served: with a digest of its contents.
func stamped(name string, body []byte) string {
	sum := sha256.Sum256(body)
	extension := path.Ext(name)
	return strings.TrimSuffix(name, extension) + "." + hex.EncodeToString(sum[:6]) + extension
}

// fontNames matches the fonts in a style sheet.
var fontNames = regexp.MustCompile(`url\("([a-z-]+\.woff2)"\)`)

// withFonts replaces the names of fonts in a style sheet with the names under which they are served, in the same
// folder as the sheet.
func withFonts(sheet []byte) ([]byte, error) {
	var failed error
	sheet = fontNames.ReplaceAllFunc(sheet, func(found []byte) []byte {
		name := string(fontNames.FindSubmatch(found)[1])
		font, err := static.Files.ReadFile("vendored/" + name)
		failed = cmp.Or(failed, err)
		return []byte(`url("` + stamped(name, font) + `")`)
	})
	return sheet, failed
}

func (a *assets) add(name string, body []byte) {
	file := stamped(name, body)
	a.addresses[name] = "/static/" + file
	a.files[file] = &cache.Lasting{Answer: cache.Answer{Body: body}}
}

// rems matches lengths in the size of the text of the page.
var rems = regexp.MustCompile(`(-?[0-9]*\.?[0-9]+)rem\b`)

// widths matches lengths in the width of the window.
var widths = regexp.MustCompile(`([0-9])vw\b`)

// unscaled adapts a style sheet to the text size of the site that embeds it, but not below the default, because
// many sites set rem to 10 pixels. Widths are relative to the embedded calendar, not to the window.
func unscaled(sheet []byte) []byte {
	sheet = widths.ReplaceAll(rems.ReplaceAll(sheet, []byte("calc($1 * var(--rem))")), []byte("${1}cqi"))
	return append([]byte(":root,:host{--rem:max(1rem,16px)}"), sheet...)
}

// Asset returns the address of a static file. It depends on the contents, so that browsers may cache the file forever.
func Asset(name string) string { return loadedAssets().addresses[name] }

// File returns the contents of a static file.
func File(name string) []byte { return loadedAssets().files[path.Base(Asset(name))].Body }

// Static serves a static file.
func Static(c *fiber.Ctx) error {
	name := c.Params("file")
	if file := loadedAssets().files[name]; file != nil {
		return sendFile(c, file.Body, file)
	}
	if rules := accentSheet(name); rules != nil {
		return sendFile(c, rules, &cache.Answer{Body: rules})
	}
	return fiber.ErrNotFound
}

// sendFile sends a body in the encoding that the client prefers.
func sendFile(c *fiber.Ctx, body []byte, packed interface {
	Gzip() []byte
	Brotli() []byte
}) error {
	c.Set(fiber.HeaderContentType, cmp.Or(fontTypes[path.Ext(c.Path())], mime.TypeByExtension(path.Ext(c.Path()))))
	c.Set(fiber.HeaderCacheControl, "public, max-age=31536000, immutable")
	c.Set(fiber.HeaderVary, fiber.HeaderAcceptEncoding)
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	coding := ""
	if c.Get(fiber.HeaderAcceptEncoding) != "" { // without the header, every encoding would count as accepted
		coding = c.AcceptsEncodings("br", "gzip")
	}
	var small []byte
	switch coding {
	case "br":
		small = packed.Brotli()
	case "gzip":
		small = packed.Gzip()
	}
	if small == nil {
		return c.Send(body)
	}
	c.Set(fiber.HeaderContentEncoding, coding)
	return c.Send(small)
}
