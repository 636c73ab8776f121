package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"mime"
	"path"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/cache"
)

//go:embed static/*
var files embed.FS

// bundles are the style sheets that are sent as one file: their parts in order.
var bundles = map[string][]string{
	"public.css": {"tokens.css", "base.css", "public.css"},
	"admin.css":  {"tokens.css", "base.css", "admin.css"},
}

// assets are the files of static, and the bundles, by name and by address.
type assets struct {
	addresses map[string]string        // name → address
	files     map[string]*cache.Answer // last part of the address → content
}

// loadedAssets reads the embedded files once.
var loadedAssets = sync.OnceValue(func() *assets {
	a := &assets{addresses: map[string]string{}, files: map[string]*cache.Answer{}}
	entries, err := files.ReadDir("static")
	for _, entry := range entries {
		name := entry.Name()
		parts := bundles[name]
		if parts == nil {
			parts = []string{name}
		}
		var body []byte
		for _, part := range parts {
			content, failed := files.ReadFile("static/" + part)
			if failed != nil {
				err = failed
			}
			body = append(body, content...)
		}
		a.add(name, body)
	}
	if err != nil {
		return &assets{} // the files are part of the program; a test reads them all
	}
	return a
})

func (a *assets) add(name string, body []byte) {
	sum := sha256.Sum256(body)
	extension := path.Ext(name)
	file := strings.TrimSuffix(name, extension) + "." + hex.EncodeToString(sum[:6]) + extension
	a.addresses[name] = "/static/" + file
	a.files[file] = &cache.Answer{Body: body}
}

// Asset returns the address of a file of static; it changes with the content,
// so browsers may keep what they have for ever.
func Asset(name string) string { return loadedAssets().addresses[name] }

// static answers with a file of static.
func static(c *fiber.Ctx) error {
	name := c.Params("file")
	file := loadedAssets().files[name]
	if file == nil {
		return fiber.ErrNotFound
	}
	c.Set(fiber.HeaderContentType, mime.TypeByExtension(path.Ext(name)))
	c.Set(fiber.HeaderCacheControl, "public, max-age=31536000, immutable")
	c.Set(fiber.HeaderVary, fiber.HeaderAcceptEncoding)
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	var packed []byte
	coding := c.AcceptsEncodings("br", "gzip")
	switch coding {
	case "br":
		packed = file.Brotli()
	case "gzip":
		packed = file.Gzip()
	}
	if packed == nil {
		return c.Send(file.Body)
	}
	c.Set(fiber.HeaderContentEncoding, coding)
	return c.Send(packed)
}
