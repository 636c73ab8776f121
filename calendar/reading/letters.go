package reading

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"github.com/kalends/kalends/internal/args"
)

// encodings are those of spreadsheets in regions where Windows-1252 is not in use.
var encodings = []encoding.Encoding{
	japanese.ShiftJIS, simplifiedchinese.GB18030, traditionalchinese.Big5, korean.EUCKR, japanese.EUCJP,
	charmap.Windows1251, charmap.Windows1253, charmap.Windows1250, charmap.Windows1254, charmap.Windows1255, charmap.Windows1256,
	charmap.Macintosh, charmap.CodePage850, charmap.KOI8R,
}

// readCSV reads a table as text. If it is neither in UTF-8 nor has known columns in Windows-1252, the encoding in which its
// columns are known is used.
func readCSV(data []byte, o Options) (*File, error) {
	file, err := readTable(CSV, csvRecords(data), o)
	if err == nil || utf8.Valid(data) {
		return doubting(data)(file, err)
	}
	head := data[:min(len(data), sniffed)]
	head = head[:max(bytes.LastIndexByte(head, '\n'), bytes.LastIndexByte(head, '\r'))+1]
	for _, one := range encodings {
		if !knownIn(one, head, o) {
			continue
		}
		text, decodes := one.NewDecoder().Bytes(data)
		if decodes != nil || len(text) > MaxBytes {
			continue
		}
		if other, err := readTable(CSV, csvRecords(text), o); err == nil {
			return other, nil
		}
	}
	return file, err
}

// knownIn reports whether the beginning of a table has known columns in an encoding.
func knownIn(one encoding.Encoding, head []byte, o Options) bool {
	text, err := one.NewDecoder().Bytes(head)
	if err != nil || bytes.ContainsRune(text, utf8.RuneError) {
		return false
	}
	_, err = readTable(CSV, csvRecords(text), o)
	return err == nil
}

// readPage reads a page or JSON as UTF-8: in the encoding that the page names, or else as readable does, and then its letters may be wrong.
func readPage(data []byte, o Options, read func([]byte, Options) (*File, error)) (*File, error) {
	if utf8.Valid(data) {
		return read(data, o)
	}
	const windows, utf = "windows-1252", "utf-8"
	if said, name, _ := charset.DetermineEncoding(data, ""); name != windows && name != utf {
		if text, err := said.NewDecoder().Bytes(data); err == nil && len(text) <= MaxBytes {
			return read(text, o)
		}
	}
	return doubting(data)(read([]byte(readable(data)), o))
}

// doubting warns of letters in the entries of a file that is not in UTF-8, if they are probably those of another encoding.
func doubting(data []byte) func(*File, error) (*File, error) {
	return func(file *File, err error) (*File, error) {
		if err != nil || utf8.Valid(data) {
			return file, err
		}
		all := file.Entries
		file.Entries = func(yield func(Entry) bool) {
			for e := range all {
				if text := doubtfulIn(e.Values); text != "" {
					e.warn("letters-doubtful", "", text)
				}
				if !yield(e) {
					return
				}
			}
		}
		return file, nil
	}
}

// doubtfulIn returns the first word in the texts of some values that has doubtful letters, or "".
func doubtfulIn(value any) string {
	switch v := value.(type) {
	case string:
		for word := range strings.FieldsSeq(v) {
			if doubtful(word) {
				return word
			}
		}
	case args.Values:
		return doubtfulIn(map[string]any(v))
	case map[string]any:
		found := ""
		for _, one := range v {
			if word := doubtfulIn(one); word != "" && (found == "" || word < found) {
				found = word
			}
		}
		return found
	case []any:
		for _, one := range v {
			if word := doubtfulIn(one); word != "" {
				return word
			}
		}
	}
	return ""
}

// amid are characters of Windows-1252 that are never between two letters; some are never before one either.
const (
	amid  = "¡¢£¤¥¦§¨©ª«¬¯±²³µ¶¸¹º»¼½¾¿×÷†‡ˆ‰‹›˜„‚ƒ“”€"
	ahead = "£¢¥¬¯¤¦¹²³¼½¾"
)

// doubtful reports whether a word that was read as Windows-1252 is probably in another encoding: Gr”áe, fŸr, £ódŸ, Êîíöåðò.
func doubtful(word string) bool {
	before, foreign, letters := rune(0), 0, 0
	list := []rune(word)
	for i, c := range list {
		after := rune(0)
		if i+1 < len(list) {
			after = list[i+1]
		}
		switch {
		case c >= 0x80 && c < 0xa0, c == utf8.RuneError,
			strings.ContainsRune(ahead, c) && unicode.IsLetter(after),
			strings.ContainsRune(amid, c) && unicode.IsLetter(before) && unicode.IsLetter(after),
			c >= 0x80 && unicode.IsUpper(c) && unicode.IsLower(before):
			return true
		}
		if before = c; unicode.IsLetter(c) {
			if letters++; c >= 0x80 {
				foreign++
			}
		}
	}
	const several = 4
	return letters >= several && foreign == letters
}
