package reading

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// Gift is the format of what one site of the installation gives to another one. No file that somebody sends is read as one.
const Gift Format = "site"

// Kalends is the format of what a site of another installation shows. No file that somebody sends is read as one.
const Kalends Format = "kalends"

// Belongs is the member of values that says where a given event belongs. It is no argument.
const Belongs = "given"

// gift are entries that a site gives.
type gift struct {
	Giver   int64   `json:"giver"` // its id
	Partial bool    `json:"partial,omitempty"`
	Entries []Entry `json:"entries"`
}

// Wrap returns the entries that a site gives as a file.
func Wrap(giver int64, entries []Entry) ([]byte, error) {
	return wrap(gift{Giver: giver, Entries: entries})
}

// WrapSome returns what a site of another installation shows as a file: all entries or, with partial, those that have changed.
func WrapSome(entries []Entry, partial bool) ([]byte, error) {
	return wrap(gift{Partial: partial, Entries: entries})
}

func wrap(g gift) ([]byte, error) {
	data, err := json.Marshal(g)
	if err != nil {
		return nil, fmt.Errorf("write given events: %w", err)
	}
	return data, nil
}

// readGift reads what Wrap returned.
func readGift(data []byte, format Format) (*File, error) {
	g := &gift{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if d.Decode(g) != nil {
		return nil, ErrDamaged
	}
	return &File{Format: format, Giver: g.Giver, Partial: g.Partial, Entries: slices.Values(g.Entries)}, nil
}
