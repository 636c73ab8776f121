package archives

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/archive"
)

// markup are the columns with HTML, by table. The translations of a row have members with the same names; those of terms have
// one more. links are the columns with URLs that visitors follow.
var (
	markup = map[string][]string{"events": {"description", "excerpt"}, "venues": {"description", "excerpt"},
		"organizers": {"description", "excerpt"}, "terms": {"description", "excerpt"}}
	links = map[string][]string{"events": {"website", "virtual_url", "video_url"}, "venues": {"website"}, "organizers": {"website"}}
)

// inRow is a row of an archive that is being checked.
type inRow struct {
	table   string
	values  map[string]json.RawMessage
	changed bool
}

// cleaned returns the rows of a table with the checks that apply to what people type: HTML is cleaned, and a
// password hash that cannot be checked is removed. It returns ErrDamaged for a row with a URL that no form accepts.
func cleaned(table string, lines archive.Lines) archive.Lines {
	if markup[table] == nil && table != "users" {
		return lines
	}
	return func(yield func([]byte) error) error {
		return lines(func(line []byte) error {
			clean, err := cleanRow(table, line)
			if err != nil {
				return err
			}
			return yield(clean)
		})
	}
}

func cleanRow(table string, line []byte) ([]byte, error) {
	row := &inRow{table: table}
	if err := json.Unmarshal(line, &row.values); err != nil {
		return nil, row.wrong("row", err)
	}
	if err := row.clean(); err != nil {
		return nil, err
	}
	if !row.changed {
		return line, nil
	}
	return marshal(row.values)
}

// marshal is json.Marshal without escaping characters that are safe in a file.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

func (r *inRow) wrong(column string, err error) error {
	return fmt.Errorf("%w: %s of %s %s: %w", archive.ErrDamaged, column, r.table, r.values["id"], err)
}

func (r *inRow) clean() error {
	if r.table == "users" {
		hash, err := r.text(r.values, "password_hash")
		if err == nil && !accounts.MayServe(hash) {
			err = r.set(r.values, "password_hash", "")
		}
		return err
	}
	for _, column := range links[r.table] {
		address, err := r.text(r.values, column)
		if err == nil {
			err = r.follow(column, address)
		}
		if err != nil {
			return err
		}
	}
	if err := r.cleanIn(r.values); err != nil {
		return err
	}
	if err := r.tickets(); err != nil {
		return err
	}
	return r.translations()
}

// follow returns ErrDamaged for a URL that is not allowed in a link.
func (r *inRow) follow(column, address string) error {
	if address == "" || args.SafeURL(address) {
		return nil
	}
	return r.wrong(column, fmt.Errorf("%.100q is no address", address))
}

// cleanIn cleans the HTML among some values.
func (r *inRow) cleanIn(values map[string]json.RawMessage) error {
	for _, column := range markup[r.table] {
		text, err := r.text(values, column)
		if err != nil {
			return err
		}
		clean := wording.CleanHTML(text)
		if r.table == "terms" {
			clean = wording.CleanInline(text)
		}
		if clean == text {
			continue
		}
		if err := r.set(values, column, clean); err != nil {
			return err
		}
	}
	return nil
}

func (r *inRow) tickets() error {
	var list []struct {
		URL string `json:"url"`
	}
	if raw := r.values["tickets"]; len(raw) > 0 {
		if err := json.Unmarshal(raw, &list); err != nil {
			return r.wrong("tickets", err)
		}
	}
	for _, t := range list {
		if err := r.follow("tickets", t.URL); err != nil {
			return err
		}
	}
	return nil
}

func (r *inRow) translations() error {
	raw := r.values["translations"]
	if len(raw) == 0 {
		return nil
	}
	var all map[string]map[string]json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil {
		return r.wrong("translations", err)
	}
	was := r.changed
	r.changed = false
	for _, text := range all {
		if err := r.cleanIn(text); err != nil {
			return err
		}
	}
	if r.changed {
		return r.set(r.values, "translations", all)
	}
	r.changed = was
	return nil
}

// text returns a value, or "" if there is none.
func (r *inRow) text(values map[string]json.RawMessage, column string) (s string, err error) {
	raw := values[column]
	if len(raw) == 0 {
		return "", nil
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", r.wrong(column, err)
	}
	return s, nil
}

func (r *inRow) set(values map[string]json.RawMessage, column string, value any) error {
	raw, err := marshal(value)
	values[column], r.changed = raw, true
	return err
}
