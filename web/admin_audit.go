package web

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// audit is a page of the history of a site, or of the provider's.
type audit struct {
	title        string
	path         string // of the page
	back         string // of what the history is about, "" for what the page before was
	kinds, deeds []string
	link         func(*tenancy.Entry) string // to the object of an entry, "" for none
	export       bool
	form         *form // the filter
	entries      []tenancy.Entry
	next         string
	open         *tenancy.Entry // shown field by field
}

var historyTable = args.TableOf(reflect.TypeFor[tenancy.HistoryFilter]())

// auditFields are what the address of the page can say.
var auditFields = []string{"who", "kind", "action", "id", "from", "to", "after"}

// The kinds and actions to choose from.
var (
	auditKinds = []string{"event", "venue", "organizer", "category", "tag", "image", "user", "key", "passkey", "site", "session"}
	auditDeeds = []string{"create", "update", "publish", "trash", "restore", "delete", "sign_in", "sign_in_failed"}
)

// showAudit shows who changed what, when and from where; everything it shows is
// in its address.
func (w *admin) showAudit(v *visit) (*reply, error) {
	a := siteAudit(v)
	if err := w.readAudit(v.ctx, v, a); err != nil {
		return nil, err
	}
	return &reply{title: a.title, section: "audit", body: auditPage(a)}, nil
}

// readAudit reads what the page shows of the history of the site that ctx is
// inside of.
func (w *admin) readAudit(ctx context.Context, v *visit, a *audit) error {
	f, err := a.filter(v)
	if err == nil {
		a.entries, a.next, err = w.platform.History.List(ctx, f)
	}
	if err != nil && !a.form.refuse(v.ctx, err) {
		return err
	}
	if at, ok := tenancy.ParsePlace(v.query.Get("open")); ok {
		if a.open, err = w.platform.History.Entry(ctx, at); err != nil && !errors.Is(err, tenancy.ErrNoEntry) {
			return err
		}
	}
	return nil
}

// siteAudit is the page for the people of the site.
func siteAudit(v *visit) *audit {
	return &audit{form: &form{kind: "audit", values: v.query}, title: tell(v.ctx, "nav.audit"), path: adminRoot + "/audit",
		kinds: auditKinds, deeds: auditDeeds, link: entryLink, export: true}
}

// filter reads the address as the API reads it, or returns errWrong.
func (a *audit) filter(v *visit) (*tenancy.HistoryFilter, error) {
	values := args.Values{}
	for _, name := range auditFields {
		if text := strings.TrimSpace(a.form.get(name)); text != "" {
			values[name] = text
		}
	}
	f := &tenancy.HistoryFilter{}
	err := historyTable.Parse(values, args.Reading, f)
	if err != nil && a.form.refuse(v.ctx, err) {
		return nil, errWrong
	}
	return f, err
}

// address is the page's with one thing else; a path below it is another's.
func (a *audit) address(below string, pairs ...string) string {
	q := url.Values{}
	for _, name := range auditFields {
		if text := a.form.get(name); text != "" {
			q.Set(name, text)
		}
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if q.Set(pairs[i], pairs[i+1]); pairs[i+1] == "" {
			q.Del(pairs[i])
		}
	}
	path := a.path + below
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

func (a *audit) filtered() bool {
	for _, name := range auditFields {
		if a.form.get(name) != "" && name != "after" {
			return true
		}
	}
	return false
}

func (a *audit) opened(e *tenancy.Entry) bool { return a.open != nil && a.open.Place == e.Place }

// exportAudit sends all entries that the filter lets through, as a table or as
// one JSON object a line.
func (w *admin) exportAudit(v *visit) (*reply, error) {
	a := siteAudit(v)
	f, err := a.filter(v)
	if errors.Is(err, errWrong) {
		return &reply{redirect: a.address("", "format", "")}, nil
	}
	if err != nil {
		return nil, err
	}
	name, kind, write := "history.jsonl", "application/x-ndjson", writeLines
	if v.query.Get("format") == "csv" {
		name, kind, write = "history.csv", "text/csv; charset=utf-8", writeTable
	}
	return &reply{stream: &stream{kind: kind, name: name, write: func(out *bufio.Writer) error {
		ctx, cancel := v.lasting(exportTime)
		defer cancel()
		return write(out, func(do func(*tenancy.Entry) error) error { return w.platform.History.Each(ctx, f, do) })
	}}}, nil
}

// exportTime is how long one export may take.
const exportTime = 10 * time.Minute

// stream is an answer that is written piece by piece.
type stream struct {
	kind, name string
	write      func(*bufio.Writer) error
}

// send starts the answer. What goes wrong on the way ends it early.
func (s *stream) send(c *fiber.Ctx) {
	c.Set(fiber.HeaderContentType, s.kind)
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="`+s.name+`"`)
	c.Context().SetBodyStreamWriter(func(out *bufio.Writer) {
		if err := s.write(out); err == nil {
			_ = out.Flush()
		}
	})
}

// line is an entry as it is exported.
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
	Before  *map[string]any `json:"before"`
}

func lineOf(e *tenancy.Entry) line {
	l := line{Place: e.Place.String(), At: e.At, Action: e.Action, Kind: e.Place.Kind, ID: e.Place.ID, UserID: e.UserID, Who: e.Who,
		Via: string(e.Via), Key: e.Key, Address: e.Address}
	if e.Before != nil {
		l.Before = &e.Before
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
	columns := []string{"place", "at", "action", "kind", "id", "user_id", "who", "via", "key", "address", "before"}
	if err := table.Write(columns); err != nil {
		return err
	}
	err := each(func(e *tenancy.Entry) error {
		l, before := lineOf(e), []byte(nil)
		if l.Before != nil {
			before, _ = json.Marshal(l.Before) //nolint:errchkjson // came as JSON
		}
		return table.Write([]string{l.Place, l.At.Format(time.RFC3339), l.Action, l.Kind, strconv.FormatInt(l.ID, 10),
			strconv.FormatInt(l.UserID, 10), tame(l.Who), l.Via, tame(l.Key), l.Address, string(before)})
	})
	table.Flush()
	return errors.Join(err, table.Error())
}

// tame keeps a spreadsheet from taking a text for a formula.
func tame(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

// entryLink leads to the object of an entry, "" where there is no page of it.
func entryLink(e *tenancy.Entry) string {
	if e.Action == "delete" {
		return ""
	}
	switch e.Place.Kind {
	case "event":
		return eventAddress(e.Place.ID)
	case "venue":
		return adminRoot + "/venues/" + idText(e.Place.ID)
	case "organizer":
		return adminRoot + "/organizers/" + idText(e.Place.ID)
	}
	return ""
}

// entryTitle is what the object of an entry was called, as far as it says.
func entryTitle(e *tenancy.Entry) string {
	for _, name := range []string{"title", "name", "venue", "organizer", "login", "file"} {
		if text, ok := e.Before[name].(string); ok && text != "" {
			return text
		}
	}
	return e.Object
}
