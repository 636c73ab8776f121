package reading

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// byteOrderMark is at the beginning of some files in UTF-8.
var byteOrderMark = []byte("\ufeff")

// asUTF8 converts a text in UTF-16 to UTF-8, and removes a byte order mark. It returns texts in other encodings as they are.
func asUTF8(data []byte) ([]byte, error) {
	order, wide := sixteenBits(data)
	if !wide {
		return bytes.TrimPrefix(data, byteOrderMark), nil
	}
	if len(data) > MaxBytes*2/3 { // which may have three bytes for two
		return nil, ErrLarge
	}
	text, err := unicode.UTF16(order, unicode.UseBOM).NewDecoder().Bytes(data)
	if err != nil {
		return nil, ErrDamaged
	}
	return bytes.TrimPrefix(text, byteOrderMark), nil
}

// sixteenBits reports whether a text is in UTF-16, and its byte order if there is no byte order mark.
func sixteenBits(data []byte) (unicode.Endianness, bool) {
	switch {
	case len(data) < 4:
		return unicode.LittleEndian, false
	case bytes.HasPrefix(data, []byte("\xff\xfe")), data[0] != 0 && data[1] == 0 && data[2] != 0 && data[3] == 0:
		return unicode.LittleEndian, true
	case bytes.HasPrefix(data, []byte("\xfe\xff")), data[0] == 0 && data[1] != 0 && data[2] == 0 && data[3] != 0:
		return unicode.BigEndian, true
	}
	return unicode.LittleEndian, false
}

// readable returns a text in UTF-8 without NUL. Bytes that are not valid UTF-8 are decoded as Windows-1252, the
// encoding of Windows programs in western languages: alone in a text in UTF-8, as programs leave them that cut texts in the
// middle of a letter, else with the whole text.
func readable(text []byte) string {
	if !utf8.Valid(text) {
		if letters, bad := letters(text); letters > bad {
			text = withLetters(text)
		} else {
			text, _ = charmap.Windows1252.NewDecoder().Bytes(text) // has a character for every byte
		}
	}
	return string(bytes.ReplaceAll(text, []byte{0}, nil))
}

// letters returns how many letters of several bytes a text has in UTF-8, and how many bytes are not valid there.
func letters(text []byte) (letters, bad int) {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1:
			bad++
		case size > 1:
			letters++
		}
		text = text[size:]
	}
	return letters, bad
}

// withLetters returns a text in UTF-8 in which single bytes were not valid.
func withLetters(text []byte) []byte {
	whole := make([]byte, 0, len(text)+8)
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			r = charmap.Windows1252.DecodeByte(text[0])
		}
		whole = utf8.AppendRune(whole, r)
		text = text[size:]
	}
	return whole
}
