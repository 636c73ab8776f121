package translations

import (
	"encoding/json"
	"unsafe"
)

// readTexts parses an object of Text by language.
func readTexts(raw []byte) map[string]Text {
	all := map[string]Text{}
	for _, one := range listTexts(raw) {
		all[one.Language] = one.Text
	}
	return all
}

// TextIn is a text with its language.
type TextIn struct {
	Language string
	Text
}

// listTexts parses an object of Text by language. Nobody may write to the bytes afterwards. Lists parse one object per entry,
// so the format that the store writes is parsed without reflection. encoding/json parses everything else.
func listTexts(raw []byte) []TextIn {
	r := textReader{s: unsafe.String(unsafe.SliceData(raw), len(raw))} //nolint:gosec // as it says
	var list []TextIn
	r.object(func(language string) {
		list = append(list, TextIn{Language: language})
		text := &list[len(list)-1].Text
		r.object(func(name string) { r.field(text, name) })
	})
	if r.odd || r.at != len(r.s) {
		list = nil
		all := map[string]Text{}
		_ = json.Unmarshal(raw, &all) // invalid data means no texts
		for language, text := range all {
			list = append(list, TextIn{language, text})
		}
	}
	return list
}
