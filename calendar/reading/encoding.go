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

// readable returns a text in UTF-8 without NUL. Text that is not valid UTF-8 is decoded as Windows-1252, the
// encoding of Windows programs in western languages.
func readable(text []byte) string {
	if !utf8.Valid(text) {
		text, _ = charmap.Windows1252.NewDecoder().Bytes(text) // has a character for every byte
	}
	return string(bytes.ReplaceAll(text, []byte{0}, nil))
}
