package history

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
)

// Export sends all entries that match the filter, as a table or as one JSON object per line.
func (a *Page) Export(v *frame.Visit,
	each func(context.Context, *tenancy.HistoryFilter, func(*tenancy.Entry) error) error,
) (*frame.Reply, error) {
	f, err := a.Filter(v)
	if errors.Is(err, frame.ErrWrong) {
		return &frame.Reply{Redirect: a.address("", "format", "")}, nil
	}
	if err != nil {
		return nil, err
	}
	name, kind, write := "history.jsonl", "application/x-ndjson", writeLines
	if v.Query.Get("format") == "csv" {
		name, kind, write = "history.csv", "text/csv; charset=utf-8", writeTable
	}
	return frame.StreamReply(kind, name, func(out *bufio.Writer) error {
		ctx, cancel := v.Lasting(frame.ExportTime)
		defer cancel()
		return write(out, func(do func(*tenancy.Entry) error) error { return each(ctx, f, do) })
	}), nil
}

// line is an exported entry.
type line struct {
	Place   string          `json:"place"`
	At      time.Time       `json:"at"`
	Action  string          `json:"action"`
	Kind    string          `json:"kind"`
	ID      int64           `json:"id"`
	UserID  int64           `json:"user_id"`
	Who     string          `json:"who"`
	Via     string          `json:"via"`
	Key     string          `json:"key"`
	Address string          `json:"address"`
	Object  string          `json:"object,omitempty"`
	Before  *map[string]any `json:"before"`
	After   *map[string]any `json:"after,omitempty"` // only in the provider's entries, as Object
}

func lineOf(e *tenancy.Entry) line {
	l := line{
		Place:   e.Position.String(),
		At:      e.At,
		Action:  e.Action,
		Kind:    e.Position.Kind,
		ID:      e.Position.ID,
		UserID:  e.UserID,
		Who:     e.Who,
		Via:     string(e.Via),
		Key:     e.Key,
		Address: e.Address,
		Object:  e.Object,
	}
	if e.Before != nil {
		l.Before = &e.Before
	}
	if e.After != nil {
		l.After = &e.After
	}
	return l
}

func writeLines(out *bufio.Writer, each func(func(*tenancy.Entry) error) error) error {
	encode := json.NewEncoder(out)
	encode.SetEscapeHTML(false)
	return each(func(e *tenancy.Entry) error { return encode.Encode(lineOf(e)) })
}

func writeTable(out *bufio.Writer, each func(func(*tenancy.Entry) error) error) error {
	table := csv.NewWriter(io.Writer(out))
	columns := []string{"place", "at", "action", "kind", "id", "user_id", "who", "via", "key", "address", "before", "object", "after"}
	if err := table.Write(columns); err != nil {
		return err
	}
	err := each(func(e *tenancy.Entry) error {
		l := lineOf(e)
		row := []string{l.Place, l.At.Format(time.RFC3339), l.Action, l.Kind, strconv.FormatInt(l.ID, 10),
			strconv.FormatInt(l.UserID, 10), l.Who, l.Via, l.Key, l.Address, cellOf(l.Before), l.Object, cellOf(l.After)}
		for i := range row {
			row[i] = wording.EscapeFormula(row[i])
		}
		return table.Write(row)
	})
	table.Flush()
	return errors.Join(err, table.Error())
}

// cellOf formats fields as a single cell.
func cellOf(fields *map[string]any) string {
	if fields == nil {
		return ""
	}
	var text strings.Builder
	encode := json.NewEncoder(&text)
	encode.SetEscapeHTML(false)
	_ = encode.Encode(fields) //nolint:errchkjson // came as JSON
	return strings.TrimSuffix(text.String(), "\n")
}
