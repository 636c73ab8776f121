package wordpress

import (
	"context"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/prices"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/tenancy"
)

// view writes the objects of WordPress' own API. Names, order and types of their keys are WordPress' (rule 1.6).
type view struct {
	*api.View
	raw   bool // show what was written in addition to how it is shown
	embed bool // show linked objects as well
}

func (w *API) view(ctx context.Context) *view {
	v := &view{View: api.NewView(tenancy.Current(ctx))}
	v.Now = w.calendar.Now()
	return v
}

// show reads from the arguments how to show objects: whether with raw fields in addition to rendered ones, and
// whether with linked objects.
func (v *view) show(f *paging) {
	v.raw, v.embed = f.Context.Or("") == "edit", f.Embed.Given()
}

// time writes a time as WordPress does.
func (v *view) time(key string, t time.Time) { v.Text(key, t.Format("2006-01-02T15:04:05")) }

// rendered writes a text as an object.
func (v *view) rendered(key, raw string, plain bool, protected ...bool) {
	v.Open(key, '{')
	if v.raw {
		v.Text("raw", raw)
	}
	if plain {
		v.HTML("rendered", raw)
	} else {
		v.Text("rendered", raw)
	}
	if len(protected) > 0 {
		v.Bool("protected", protected[0])
	}
	v.Close('}')
}

// post is an event, a venue or an organizer as a post.
type post struct {
	*calendar.Post
	kind, link                  string
	title, description, excerpt string
	protected                   bool
	meta                        func()
	terms                       []calendar.Term
	event                       bool
}

func (v *view) post(p *post) {
	v.Item()
	v.Int("id", p.ID)
	place := v.Scope.Site.Location
	v.time("date", p.Date.In(place))
	v.time("date_gmt", p.Date.UTC())
	v.Open("guid", '{')
	v.Text("rendered", v.Pages+"/?post_type="+p.kind+"&p="+strconv.FormatInt(p.ID, 10))
	v.Close('}')
	v.time("modified", p.Modified.In(place))
	v.time("modified_gmt", p.Modified.UTC())
	v.Slug(p.Slug)
	v.Text("status", string(p.Status))
	v.Text("type", p.kind)
	v.Text("link", p.link)
	v.rendered("title", p.title, true)
	v.rendered("content", p.description, false, p.protected)
	v.rendered("excerpt", p.excerpt, false, p.protected)
	v.Int("author", p.Author)
	v.Int("featured_media", imageID(p.Image))
	v.Text("comment_status", "closed")
	v.Text("ping_status", "closed")
	v.Text("template", "")
	v.Open("meta", '{')
	p.meta()
	v.Close('}')
	if p.event {
		v.termIDs("tags", p.terms, calendar.Tags)
		v.termIDs("tribe_events_cat", p.terms, calendar.Categories)
	}
	v.postLinks(p)
	if v.embed {
		v.embedded(p)
	}
	v.Close('}')
}

func imageID(i *calendar.Image) int64 {
	if i == nil {
		return 0
	}
	return i.ID
}

func (v *view) termIDs(key string, terms []calendar.Term, of calendar.Taxonomy) {
	v.Open(key, '[')
	for i := range terms {
		if terms[i].Taxonomy == of {
			v.Comma()
			v.Number(terms[i].ID)
		}
	}
	v.Close(']')
}

func (v *view) postLinks(p *post) {
	id := strconv.FormatInt(p.ID, 10)
	v.Open("_links", '{')
	v.Href("self", v.Root+"/"+p.kind+"/"+id)
	v.Href("collection", v.Root+"/"+p.kind)
	if p.Image != nil {
		v.Embeddable("wp:featuredmedia", v.Root+"/media/"+strconv.FormatInt(p.Image.ID, 10))
	}
	if p.event {
		v.Open("wp:term", '[')
		for _, taxonomy := range [][2]string{{"post_tag", "tags"}, {"tribe_events_cat", "tribe_events_cat"}} {
			v.Item()
			v.Text("taxonomy", taxonomy[0])
			v.Bool("embeddable", true)
			v.Text("href", v.Root+"/"+taxonomy[1]+"?post="+id)
			v.Close('}')
		}
		v.Close(']')
	}
	v.Curies()
	v.Close('}')
}

// embedded writes what a post links to.
func (v *view) embedded(p *post) {
	v.Open("_embedded", '{')
	if p.Image != nil {
		v.Open("wp:featuredmedia", '[')
		v.image(p.Image)
		v.Close(']')
	}
	if p.event {
		v.Open("wp:term", '[')
		for _, of := range []calendar.Taxonomy{calendar.Tags, calendar.Categories} {
			v.Comma()
			v.Bytes = append(v.Bytes, '[')
			for i := range p.terms {
				if p.terms[i].Taxonomy == of {
					v.term(&p.terms[i])
				}
			}
			v.Close(']')
		}
		v.Close(']')
	}
	v.Close('}')
}

// event writes an event as a post. Of a protected one the contents are hidden as in other lists (rule 8.5).
func (v *view) event(e *calendar.Event) {
	shown := e.Post
	p := &post{Post: &shown, kind: "tribe_events", link: v.EventPage(e), title: e.Title, protected: e.Protected(), event: true,
		meta: func() { v.eventMeta(e) }}
	if e.Masked {
		shown.Image = nil
	} else {
		p.description, p.excerpt = e.Description, e.Excerpt
		p.terms = append(append(p.terms, e.Tags...), e.Categories...)
	}
	v.post(p)
}

func (v *view) eventMeta(e *calendar.Event) {
	v.Time("_EventStartDate", e.Start)
	v.Time("_EventEndDate", e.End)
	v.Time("_EventStartDateUTC", e.StartUTC.UTC())
	v.Time("_EventEndDateUTC", e.EndUTC.UTC())
	v.Text("_EventTimezone", e.Timezone)
	if e.Masked {
		return
	}
	v.Bool("_EventAllDay", e.AllDay)
	v.Bool("_EventShowMap", e.ShowMap)
	v.Bool("_EventShowMapLink", e.ShowMapLink)
	v.Text("_EventURL", e.Website)
	v.Text("_EventCost", prices.Format(e.Cost, prices.CurrencyOf(v.Scope.Site)).Text)
	v.Open("_EventVenueID", '[')
	for i := range e.Venues {
		v.Comma()
		v.Number(e.Venues[i].ID)
	}
	v.Close(']')
	v.Open("_EventOrganizerID", '[')
	for i := range e.Organizers {
		v.Comma()
		v.Number(e.Organizers[i].ID)
	}
	v.Close(']')
}

func (v *view) venue(p *calendar.Venue) {
	v.post(&post{Post: &p.Post, kind: "tribe_venue", link: v.Page("venue", "tribe_venue", &p.Post), title: p.Name,
		description: p.Description, excerpt: p.Excerpt, meta: func() {
			v.meta([][2]string{
				{"_VenueAddress", p.Address},
				{"_VenueCity", p.City},
				{"_VenueCountry", p.Country},
				{"_VenueProvince", p.Province},
				{"_VenueState", p.State},
				{"_VenueStateProvince", p.StateProvince},
				{"_VenueZip", p.Zip},
				{"_VenuePhone", p.Phone},
				{"_VenueURL", p.Website},
			})
			v.Bool("_VenueShowMap", p.ShowMap)
			v.Bool("_VenueShowMapLink", p.ShowMapLink)
		}})
}

func (v *view) organizer(o *calendar.Organizer) {
	v.post(&post{Post: &o.Post, kind: "tribe_organizer", link: v.Page("organizer", "tribe_organizer", &o.Post), title: o.Name,
		description: o.Description, excerpt: o.Excerpt, meta: func() {
			v.meta([][2]string{{"_OrganizerEmail", o.Email}, {"_OrganizerPhone", o.Phone}, {"_OrganizerWebsite", o.Website}})
		}})
}

func (v *view) meta(texts [][2]string) {
	for _, text := range texts {
		v.Text(text[0], text[1])
	}
}

// term writes a category or tag.
func (v *view) term(t *calendar.Term) {
	terms, name := v.Root+"/"+api.WordPressTerms(t.Taxonomy), "post_tag"
	if t.Taxonomy == calendar.Categories {
		name = "tribe_events_cat"
	}
	v.Item()
	v.Int("id", t.ID)
	v.Int("count", int64(t.Count))
	v.Text("description", t.Description)
	v.Text("link", v.TermPage(t))
	v.HTML("name", t.Name)
	v.Slug(t.Slug)
	v.Text("taxonomy", name)
	if t.Taxonomy == calendar.Categories {
		v.Int("parent", t.Parent)
	}
	v.Raw("meta", "[]")
	v.Open("_links", '{')
	v.Href("self", terms+"/"+strconv.FormatInt(t.ID, 10))
	v.Href("collection", terms)
	if t.Parent != 0 {
		v.Embeddable("up", terms+"/"+strconv.FormatInt(t.Parent, 10))
	}
	v.EventsOfTerm(v.Root, t)
	v.Close('}')
	v.Close('}')
}

// image writes an image as an attachment.
func (v *view) image(i *calendar.Image) {
	name := strings.TrimSuffix(i.File, path.Ext(i.File))
	at := i.Created
	v.Item()
	v.Int("id", i.ID)
	v.time("date", at.In(v.Scope.Site.Location))
	v.time("date_gmt", at.UTC())
	v.Open("guid", '{')
	v.Text("rendered", v.ImageAddress(i, i.File))
	v.Close('}')
	v.time("modified", at.In(v.Scope.Site.Location))
	v.time("modified_gmt", at.UTC())
	v.Slug(wording.Slug(name))
	v.Text("status", "inherit")
	v.Text("type", "attachment")
	v.Text("link", v.ImageAddress(i, i.File))
	v.rendered("title", name, true)
	v.Int("author", i.Author)
	v.Int("featured_media", 0)
	v.Text("comment_status", "closed")
	v.Text("ping_status", "closed")
	v.Text("template", "")
	v.Raw("meta", "[]")
	v.rendered("description", "", true)
	v.rendered("caption", "", true)
	v.Text("alt_text", i.Alt)
	v.Text("media_type", "image")
	v.Text("mime_type", i.MIME)
	v.mediaDetails(i)
	v.Raw("post", "null")
	v.Text("source_url", v.ImageAddress(i, i.File))
	v.Open("_links", '{')
	v.Href("self", v.Root+"/media/"+strconv.FormatInt(i.ID, 10))
	v.Href("collection", v.Root+"/media")
	v.Close('}')
	v.Close('}')
}

func (v *view) mediaDetails(i *calendar.Image) {
	v.Open("media_details", '{')
	v.Int("width", int64(i.Width))
	v.Int("height", int64(i.Height))
	v.Text("file", i.File)
	v.Int("filesize", i.Bytes)
	v.Open("sizes", '{')
	for _, s := range append(slices.Clip(i.Sizes),
		calendar.ImageSize{Name: "full", File: i.File, MIME: i.MIME, Width: i.Width, Height: i.Height, Bytes: i.Bytes}) {
		v.Open(s.Name, '{')
		v.Text("file", s.File)
		v.Int("width", int64(s.Width))
		v.Int("height", int64(s.Height))
		v.Int("filesize", s.Bytes)
		v.Text("mime_type", s.MIME)
		v.Text("source_url", v.ImageAddress(i, s.File))
		v.Close('}')
	}
	v.Close('}')
	v.Raw("image_meta", "{}")
	v.Close('}')
}

// user writes the current user.
func (v *view) user(p tenancy.Principal) {
	v.Item()
	v.Int("id", p.UserID)
	v.Text("name", p.Login)
	v.Text("url", "")
	v.Text("description", "")
	v.Text("link", v.Pages+"/")
	v.Text("slug", wording.Slug(p.Login))
	v.Texts("roles", string(p.Role))
	v.Raw("meta", "[]")
	v.Open("_links", '{')
	v.Href("self", v.Root+"/users/me")
	v.Close('}')
	v.Close('}')
}
