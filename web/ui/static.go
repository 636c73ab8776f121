package ui

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"mime"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/internal/cache"
	"github.com/kalends/kalends/web/static"
)

// bundles are the style sheets that are combined into one file, in order.
var bundles = map[string][]string{
	"public.css": {"fonts.css", "tokens.css", "themes.css", "tones.css", "base.css", "surfaces.css", "public.css", "public_list.css", "public_month.css",
		"public_event.css", "reference.css", "theme_journal.css", "theme_poster.css", "theme_board.css", "theme_night.css", "public_map.css", "print.css"},
	"admin.css": {"tokens.css", "themes.css", "tones.css", "base.css", "admin.css", "editor.css", "editor_repeat.css",
		"board.css", "board_rows.css"},
	"embed.css": {"tokens.css", "themes.css", "tones.css", "base.css", "surfaces.css", "public.css", "public_list.css", "public_month.css",
		"embed.css", "theme_journal.css", "theme_poster.css", "theme_board.css", "theme_night.css"},
}

// layerOrder is the order of the layers of the public style sheets: a later layer overrides an earlier one, however specific
// the rules are.
const layerOrder = "@layer reset, tokens, base, surfaces, layout, components, pages, theme, state, print;\n"

// layers are the layers of the files in bundles. A file without a layer overrides all layers: it corrects the styles of
// libraries, which have no layers.
var layers = map[string]string{
	"tokens.css": "tokens", "themes.css": "tokens", "tones.css": "tokens", "base.css": "base", "surfaces.css": "surfaces",
	"public.css": "layout", "public_list.css": "components", "public_month.css": "components", "embed.css": "pages",
	"public_event.css": "pages", "reference.css": "pages", "theme_journal.css": "theme", "theme_poster.css": "theme",
	"theme_board.css": "theme", "theme_night.css": "theme", "print.css": "print",
}

// layered returns a file of a bundle within its layer.
func layered(file string, content []byte) []byte {
	layer := layers[file]
	if layer == "" {
		return content
	}
	return []byte("@layer " + layer + " {\n" + string(content) + "}\n")
}

// served are the extensions of files for browsers. Licenses and checksums are stored next to them.
var served = map[string]bool{".css": true, ".js": true, ".svg": true, ".woff2": true}

// fontTypes are the media types of fonts, which not every operating system knows.
var fontTypes = map[string]string{".woff2": "font/woff2"}

// assets are the files and bundles by name and by address.
type assets struct {
	addresses map[string]string         // name → address
	files     map[string]*cache.Lasting // last part of the address → content
}

// loadedAssets reads the embedded files once.
var loadedAssets = sync.OnceValue(func() *assets {
	a := &assets{addresses: map[string]string{}, files: map[string]*cache.Lasting{}}
	err := fs.WalkDir(static.Files, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !served[path.Ext(file)] {
			return err
		}
		name := path.Base(file)
		parts := bundles[name]
		if parts == nil {
			parts = []string{file}
		}
		var body []byte
		inLayers := slices.Contains(parts, "surfaces.css")
		if inLayers {
			body = []byte(layerOrder)
		}
		for _, part := range parts {
			content, err := static.Files.ReadFile(part)
			if err != nil {
				return err
			}
			if inLayers {
				content = layered(part, content)
			}
			body = append(body, content...)
		}
		if path.Ext(name) == ".css" && slices.Contains(parts, "tokens.css") {
			body = withSchemes(body)
		}
		if slices.Contains(parts, "fonts.css") {
			if body, err = withFonts(body); err != nil {
				return err
			}
		}
		if name == "embed.css" {
			body = contained(body)
		}
		a.add(name, body)
		return nil
	})
	if err != nil {
		return &assets{} // the files are embedded; a test reads them all
	}
	return a
})

// stamped returns the name under which a file is served: with a digest of its contents.
func stamped(name string, body []byte) string {
	sum := sha256.Sum256(body)
	extension := path.Ext(name)
	return strings.TrimSuffix(name, extension) + "." + hex.EncodeToString(sum[:6]) + extension
}

// fontNames matches the fonts in a style sheet.
var fontNames = regexp.MustCompile(`url\("([a-z-]+\.woff2)"\)`)

// withFonts replaces the names of fonts in a style sheet by the names under which they are served, which are in the same folder as the sheet.
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

// lengths matches units in style sheets that refer to the page.
var lengths = regexp.MustCompile(`(-?[0-9]*\.?[0-9]+)(rem|vw)`)

// contained adapts a style sheet to be embedded in part of another site's page: it follows the width of that part and
// the font size of the page, but not below the default.
func contained(sheet []byte) []byte {
	lines := strings.Split(string(sheet), "\n")
	for i, line := range lines {
		line = strings.Replace(line, ":root {", ":root, :host {", 1)
		media := strings.HasPrefix(line, "@media (m") || strings.HasPrefix(line, "@container (m")
		lines[i] = lengths.ReplaceAllStringFunc(strings.Replace(line, "@media (m", "@container (m", 1), func(length string) string {
			number := length[:strings.IndexAny(length, "rv")]
			n, err := strconv.ParseFloat(number, 64)
			switch {
			case err != nil:
				return length
			case strings.HasSuffix(length, "vw"):
				return number + "cqi"
			case media:
				return strconv.FormatFloat(n*16, 'f', -1, 64) + "px"
			}
			return "calc(" + number + " * var(--rem))"
		})
	}
	return []byte(":root, :host { --rem: max(1rem, 16px); }\n" + strings.Join(lines, "\n"))
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
