package cards

import (
	"bytes"
	"embed"
	"fmt"
	"sync"
	"unicode"

	"github.com/go-text/typesetting/font"
)

//go:embed fonts/*.ttf fonts/*.otf
var files embed.FS

// scripts are the fonts in the order in which a letter is looked for.
var scripts = []*script{
	{file: "latin.ttf"}, {file: "arabic.ttf"}, {file: "hebrew.ttf"}, {file: "devanagari.ttf"}, {file: "thai.ttf"},
	{file: "cjk.otf", of: []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo, wide}},
}

// wide are punctuation and letters of full width, which belong to no script.
var wide = &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0x3000, Hi: 0x30ff, Stride: 1}, {Lo: 0xff01, Hi: 0xffe6, Stride: 1}}}

// script is a font of one or some scripts. It is read when a letter is looked for in it.
type script struct {
	file string
	of   []*unicode.RangeTable // characters for which a large font is worth reading; nil: any

	once sync.Once
	face *font.Face
}

// read returns the face of a font. What is embedded can be read, so it panics otherwise; a test reads each.
func (s *script) read() *font.Face {
	s.once.Do(func() {
		file, err := files.ReadFile("fonts/" + s.file)
		if err == nil {
			s.face, err = font.ParseTTF(bytes.NewReader(file))
		}
		if err != nil {
			panic(fmt.Errorf("read %s: %w", s.file, err))
		}
	})
	return s.face
}

// has reports whether the font may have a letter.
func (s *script) has(r rune) bool { return s.of == nil || unicode.IsOneOf(s.of, r) }

// faceOf returns the face that has a letter, or nil.
func faceOf(r rune) *font.Face {
	for _, s := range scripts {
		if !s.has(r) {
			continue
		}
		if face := s.read(); covers(face, r) {
			return face
		}
	}
	return nil
}

func covers(face *font.Face, r rune) bool {
	_, ok := face.NominalGlyph(r)
	return ok
}

// fonts implements shaping.Fontmap.
type fonts struct{}

// ResolveFace returns the face that has a letter. Letters that no face has were removed before.
func (fonts) ResolveFace(r rune) *font.Face {
	if face := faceOf(r); face != nil {
		return face
	}
	return scripts[0].read()
}
