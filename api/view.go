package api

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/api/jsontext"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

// View writes a site's objects for one request. Names, order and types of keys are those of TEC (rule 4.2).
type View struct {
	jsontext.Writer
	Scope *tenancy.Scope
	Root  string // address of the API's root
	Pages string // address of the public pages
	host  string // host name for global ids, without port
	Now   time.Time
	whole bool         // write texts in all languages
	kept  imports.Kept // fields that sources no longer change, by event
	until time.Time    // when time alone changes the output; zero: never

	written    map[int64]span // in a list: positions of venues, organizers and, with negative ids, terms
	structured map[int64]span // in a single event: positions of their structured data, which are repeated
}

// span is a range of the output.
type span struct{ from, to int }

// again copies an object that has been written before, and reports whether there was one.
func (v *View) again(written map[int64]span, id int64) bool {
	s, there := written[id]
	if there {
		v.Comma()
		v.Bytes = append(v.Bytes, v.Bytes[s.from:s.to]...)
	}
	return there
}

// note records the position of the object that began at from, including its comma, unless written is nil.
func (v *View) note(written map[int64]span, id int64, from int) {
	if written == nil {
		return
	}
	if v.Bytes[from] == ',' {
		from++
	}
	written[id] = span{from, len(v.Bytes)}
}

// NewView returns a view that has written nothing yet.
func NewView(scope *tenancy.Scope) *View {
	v := &View{Scope: scope, Root: scope.Base.API(), Pages: scope.Base.Pages()}
	if len(scope.Texts) > 0 && !strings.EqualFold(scope.Base.Prefix, "/"+scope.Texts[0]) {
		v.Pages = scope.Base.Origin + "/" + scope.Texts[0] // where its slugs are valid
	}
	if origin, err := url.Parse(scope.Base.Origin); err == nil {
		v.host = origin.Hostname()
	}
	v.Bytes = make([]byte, 0, 6<<10)
	return v
}

// Say returns a text in the language of the request.
func (v *View) Say(key string) string { return i18n.Text(v.Scope.Language, key, nil) }

// Description writes a description, unless there is no text with the key.
func (v *View) Description(key string) {
	if text := v.Say(key); text != key {
		v.Text("description", text)
	}
}

// zeroTime stands for a publication date that was never set, and for the modification date of such an item before its
// first change (rules 8.1 and 9.4).
const zeroTime = "0000-00-00 00:00:00"

// globalID writes the globally unique id.
func (v *View) globalID(id int64) {
	text := v.host + "?id=" + strconv.FormatInt(id, 10)
	v.Text("global_id", text)
	v.Open("global_id_lineage", '[')
	v.Bytes = jsontext.AppendString(v.Bytes, text)
	v.Close(']')
}

// post writes the common keys of events, venues and organizers up to the addresses.
func (v *View) post(p *calendar.Post) {
	v.Digits("author", p.Author)
	v.Text("status", string(p.Status))
	v.Time("date", p.Date.In(v.Scope.Site.Location))
	dated := p.Dated || p.Status != calendar.Draft && p.Status != calendar.Pending
	v.utc("date_utc", dated, p.Date)
	v.Time("modified", p.Modified.In(v.Scope.Site.Location))
	v.utc("modified_utc", dated || p.Changed(), p.Modified)
}

func (v *View) utc(key string, known bool, t time.Time) {
	if !known {
		v.Text(key, zeroTime)
		return
	}
	v.Time(key, t.UTC())
}

// Slug writes a slug, percent-encoded in TEC's namespace as its clients expect.
func (v *View) Slug(slug string) {
	if v.Scope.Base.Namespace != Namespace {
		slug = wording.EncodedSlug(slug)
	}
	v.Text("slug", slug)
}

// Page returns the address of an item's public page, or the form with the id if the public cannot read it at the
// short one (rule 9.2).
func (v *View) Page(kind, postType string, p *calendar.Post) string {
	if p.Slug == "" || p.Status != calendar.Publish && p.Status != calendar.Private {
		return v.Pages + "/?post_type=" + postType + "&p=" + strconv.FormatInt(p.ID, 10)
	}
	return v.Pages + "/" + kind + "/" + wording.EncodedSlug(p.Slug) + "/"
}

// image writes an image (rule 6.1).
func (v *View) image(i *calendar.Image) {
	v.Text("url", v.ImageAddress(i, i.File))
	v.Int("id", i.ID)
	v.Text("extension", i.Extension)
	v.Int("width", int64(i.Width))
	v.Int("height", int64(i.Height))
	v.Int("filesize", i.Bytes)
	if len(i.Sizes) == 0 {
		return
	}
	v.Open("sizes", '{')
	for _, s := range i.Sizes {
		v.Open(s.Name, '{')
		v.Int("width", int64(s.Width))
		v.Int("height", int64(s.Height))
		v.Text("mime-type", s.MIME)
		v.Int("filesize", s.Bytes)
		v.Text("url", v.ImageAddress(i, s.File))
		v.Close('}')
	}
	v.Close('}')
}

// ImageAddress returns the address of a file of an image.
func (v *View) ImageAddress(i *calendar.Image, file string) string {
	return v.Scope.Base.Origin + "/media/" + i.Key + "/" + url.PathEscape(file)
}

// TermPage returns the address of a term's public page.
func (v *View) TermPage(t *calendar.Term) string {
	if t.Taxonomy == calendar.Tags {
		return v.Pages + "/tag/" + wording.EncodedSlug(t.Slug) + "/"
	}
	return v.Pages + "/events/category/" + wording.EncodedSlug(t.Path) + "/"
}

// Limits writes the limits of a plan; null means unlimited.
func (v *View) Limits(p *tenancy.Plan) {
	v.Open("limits", '{')
	v.Limit("events", p.Events)
	v.Limit("occurrences", p.Occurrences)
	v.Limit("users", p.Users)
	v.Limit("media_bytes", p.MediaBytes)
	v.Limit("webhooks", p.Webhooks)
	v.Limit("letters", p.Letters)
	var requests *int64
	if n := int64(p.RequestsPerMinute); n > 0 {
		requests = &n
	}
	v.Limit("requests_per_minute", requests)
	v.Close('}')
}

// Limit writes a limit, or null if it is nil.
func (v *View) Limit(key string, n *int64) {
	if n == nil {
		v.Raw(key, "null")
		return
	}
	v.Int(key, *n)
}

// Instant writes a time, or null if it is zero.
func (v *View) Instant(key string, t time.Time) {
	if t.IsZero() {
		v.Raw(key, "null")
		return
	}
	v.Text(key, t.UTC().Format(time.RFC3339))
}
