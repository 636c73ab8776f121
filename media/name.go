package media

import (
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/kalends/kalends/calendar"
)

const maxName = 100

// FileName returns a safe name for a stored file: the letters and digits of the original name in lowercase, in any
// script, with hyphens for everything else, no path, at most 100 bytes, and the extension ext ("jpg"). An original
// without letters or digits is named "image".
func FileName(original, ext string) string {
	base := original[strings.LastIndexAny(original, `/\`)+1:]
	if dot := strings.LastIndexByte(base, '.'); dot > 0 {
		base = base[:dot]
	}
	base = slug(base)
	if base == "" {
		base = "image"
	}
	if ext = strings.ReplaceAll(slug(ext), "-", ""); ext == "" {
		return base
	}
	return base + "." + ext
}

func slug(s string) string {
	var b strings.Builder
	for _, r := range norm.NFC.String(strings.ToValidUTF8(s, "-")) {
		r = unicode.ToLower(r)
		if !unicode.In(r, unicode.L, unicode.N, unicode.M) {
			r = '-'
		}
		if b.Len()+utf8.RuneLen(r) > maxName {
			break
		}
		if r != '-' || b.Len() > 0 && !strings.HasSuffix(b.String(), "-") {
			b.WriteRune(r)
		}
	}
	return strings.TrimSuffix(b.String(), "-")
}

// FileName returns the file name of a size in the style of WordPress: photo.jpg becomes photo-300x200.jpg.
func (s Size) FileName(original string) string {
	base := strings.TrimSuffix(original, path.Ext(original))
	if s.Name == calendar.SizePreview { // which may be as large as another one
		return base + "-" + s.Name + "." + extOf(s.MIME)
	}
	return fmt.Sprintf("%s-%dx%d.%s", base, s.Width, s.Height, extOf(s.MIME))
}
