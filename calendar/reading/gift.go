package reading

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// Gift is the format in which one site of the installation passes events to another. Files that people send are never read as
// this format.
const Gift Format = "site"

// Kalends is the format of events that a site of another installation shows. Files that people send are never read as this
// format.
const Kalends Format = "kalends"

// Belongs is the member of values with the origin of an event from another site. It is not an argument.
const Belongs = "given"

// gift is a file of entries that a site passes on.
type gift struct {
	Giver   int64   `json:"giver"` // its id
	Partial bool    `json:"partial,omitempty"`
	Entries []Entry `json:"entries"`
}

// Wrap returns entries that a site passes on, as a file.
func Wrap(giver int64, entries []Entry) ([]byte, error) {
	return wrap(gift{Giver: giver, Entries: entries})
}

// WrapSome returns entries from a site of another installation as a file: all of them or, if partial is set, those that have
// changed.
func WrapSome(entries []Entry, partial bool) ([]byte, error) {
	return wrap(gift{Partial: partial, Entries: entries})
}

func wrap(g gift) ([]byte, error) {
	data, err := json.Marshal(g) //nolint:musttag // only readGift reads it
	if err != nil {
		return nil, fmt.Errorf("write given events: %w", err)
	}
	return data, nil
}

// readGift reads the result of Wrap or WrapSome.
func readGift(data []byte, format Format) (*File, error) {
	g := &gift{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if d.Decode(g) != nil { //nolint:musttag // as wrap wrote it
		return nil, ErrDamaged
	}
	return &File{Format: format, Giver: g.Giver, Partial: g.Partial, Entries: slices.Values(g.Entries)}, nil
}
