package api

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/prices"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/tenancy"
)

// The objects of WordPress' own API. Names, order and types of their keys are WordPress' (rule 1.6).

// wpShow reads from the arguments how to show objects: whether with raw fields in addition to rendered ones, and
// whether with linked objects.
func (v *view) wpShow(f *wpPaging) {
	v.raw, v.embed = f.Context.Or("") == "edit", f.Embed.Given()
}

// wpTime writes a time as WordPress does.
func (v *view) wpTime(key string, t time.Time) { v.Text(key, t.Format("2006-01-02T15:04:05")) }

// wpRendered writes a text as an object.
func (v *view) wpRendered(key, raw string, plain bool, protected ...bool) {
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

// wpPost is an event, a venue or an organizer as a post.
type wpPost struct {
	*calendar.Post
	kind, link                  string
	title, description, excerpt string
	protected                   bool
	meta                        func()
	terms                       []calendar.Term
	event                       bool
}

func (v *view) wpPost(p *wpPost) {
	v.Item()
	v.Int("id", p.ID)
	place := v.scope.Site.Location
	v.wpTime("date", p.Date.In(place))
	v.wpTime("date_gmt", p.Date.UTC())
	v.Open("guid", '{')
	v.Text("rendered", v.pages+"/?post_type="+p.kind+"&p="+strconv.FormatInt(p.ID, 10))
	v.Close('}')
	v.wpTime("modified", p.Modified.In(place))
	v.wpTime("modified_gmt", p.Modified.UTC())
	v.slug(p.Slug)
	v.Text("status", string(p.Status))
	v.Text("type", p.kind)
	v.Text("link", p.link)
	v.wpRendered("title", p.title, true)
	v.wpRendered("content", p.description, false, p.protected)
	v.wpRendered("excerpt", p.excerpt, false, p.protected)
	v.Int("author", p.Author)
	v.Int("featured_media", imageID(p.Image))
	v.Text("comment_status", "closed")
	v.Text("ping_status", "closed")
	v.Text("template", "")
	v.Open("meta", '{')
	p.meta()
	v.Close('}')
	if p.event {
		v.wpTermIDs("tags", p.terms, calendar.Tags)
		v.wpTermIDs("tribe_events_cat", p.terms, calendar.Categories)
	}
	v.wpPostLinks(p)
	if v.embed {
		v.wpEmbedded(p)
	}
	v.Close('}')
}

func imageID(i *calendar.Image) int64 {
	if i == nil {
		return 0
	}
	return i.ID
}

func (v *view) wpTermIDs(key string, terms []calendar.Term, of calendar.Taxonomy) {
	v.Open(key, '[')
	for i := range terms {
		if terms[i].Taxonomy == of {
			v.Comma()
			v.Number(terms[i].ID)
		}
	}
	v.Close(']')
}

func (v *view) wpPostLinks(p *wpPost) {
	id := strconv.FormatInt(p.ID, 10)
	v.Open("_links", '{')
	v.href("self", v.api+"/"+p.kind+"/"+id)
	v.href("collection", v.api+"/"+p.kind)
	if p.Image != nil {
		v.wpEmbeddable("wp:featuredmedia", v.api+"/media/"+strconv.FormatInt(p.Image.ID, 10))
	}
	if p.event {
		v.Open("wp:term", '[')
		for _, taxonomy := range [][2]string{{"post_tag", "tags"}, {"tribe_events_cat", "tribe_events_cat"}} {
			v.Item()
			v.Text("taxonomy", taxonomy[0])
			v.Bool("embeddable", true)
			v.Text("href", v.api+"/"+taxonomy[1]+"?post="+id)
			v.Close('}')
		}
		v.Close(']')
	}
	v.wpCuries()
	v.Close('}')
}

func (v *view) wpEmbeddable(rel, address string) {
	v.Open(rel, '[')
	v.Item()
	v.Bool("embeddable", true)
	v.Text("href", address)
	v.Close('}')
	v.Close(']')
}

func (v *view) wpCuries() {
	v.Raw("curies", `[{"name":"wp","href":"https://api.w.org/{rel}","templated":true}]`)
}

// wpEmbedded writes what a post links to.
func (v *view) wpEmbedded(p *wpPost) {
	v.Open("_embedded", '{')
	if p.Image != nil {
		v.Open("wp:featuredmedia", '[')
		v.wpImage(p.Image)
		v.Close(']')
	}
	if p.event {
		v.Open("wp:term", '[')
		for _, of := range []calendar.Taxonomy{calendar.Tags, calendar.Categories} {
			v.Comma()
			v.Bytes = append(v.Bytes, '[')
			for i := range p.terms {
				if p.terms[i].Taxonomy == of {
					v.wpTerm(&p.terms[i])
				}
			}
			v.Close(']')
		}
		v.Close(']')
	}
	v.Close('}')
}

// wpEvent writes an event as a post. Of a protected one the contents are hidden as in other lists (rule 8.5).
func (v *view) wpEvent(e *calendar.Event) {
	post := e.Post
	p := &wpPost{Post: &post, kind: "tribe_events", link: v.eventPage(e), title: e.Title, protected: e.Protected(), event: true,
		description: masked(e, e.Description), excerpt: masked(e, e.Excerpt), meta: func() { v.wpEventMeta(e) }}
	if e.Masked {
		post.Image = nil
	} else {
		p.terms = append(append(p.terms, e.Tags...), e.Categories...)
	}
	v.wpPost(p)
}

func (v *view) wpEventMeta(e *calendar.Event) {
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
	v.Text("_EventCost", prices.Format(e.Cost, prices.CurrencyOf(v.scope.Site)).Text)
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

func (v *view) wpVenue(p *calendar.Venue) {
	v.wpPost(&wpPost{Post: &p.Post, kind: "tribe_venue", link: v.page("venue", "tribe_venue", &p.Post), title: p.Name,
		description: p.Description, excerpt: p.Excerpt, meta: func() {
			v.wpMeta([][2]string{
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

func (v *view) wpOrganizer(o *calendar.Organizer) {
	v.wpPost(&wpPost{Post: &o.Post, kind: "tribe_organizer", link: v.page("organizer", "tribe_organizer", &o.Post), title: o.Name,
		description: o.Description, excerpt: o.Excerpt, meta: func() {
			v.wpMeta([][2]string{{"_OrganizerEmail", o.Email}, {"_OrganizerPhone", o.Phone}, {"_OrganizerWebsite", o.Website}})
		}})
}

func (v *view) wpMeta(texts [][2]string) {
	for _, text := range texts {
		v.Text(text[0], text[1])
	}
}

// wpTerm writes a category or tag.
func (v *view) wpTerm(t *calendar.Term) {
	kind := map[calendar.Taxonomy]string{calendar.Tags: "tags", calendar.Categories: "tribe_events_cat"}[t.Taxonomy]
	v.Item()
	v.Int("id", t.ID)
	v.Int("count", int64(t.Count))
	v.Text("description", t.Description)
	v.Text("link", v.termPage(t))
	v.HTML("name", t.Name)
	v.slug(t.Slug)
	v.Text("taxonomy", taxonomyNames[t.Taxonomy].wire)
	if t.Taxonomy == calendar.Categories {
		v.Int("parent", t.Parent)
	}
	v.Raw("meta", "[]")
	id := strconv.FormatInt(t.ID, 10)
	v.Open("_links", '{')
	v.href("self", v.api+"/"+kind+"/"+id)
	v.href("collection", v.api+"/"+kind)
	if t.Parent != 0 {
		v.wpEmbeddable("up", v.api+"/"+kind+"/"+strconv.FormatInt(t.Parent, 10))
	}
	v.href("wp:post_type", v.api+"/tribe_events?"+kind+"="+id)
	v.wpCuries()
	v.Close('}')
	v.Close('}')
}

// wpImage writes an image as an attachment.
func (v *view) wpImage(i *calendar.Image) {
	name := strings.TrimSuffix(i.File, path.Ext(i.File))
	at := i.Created
	v.Item()
	v.Int("id", i.ID)
	v.wpTime("date", at.In(v.scope.Site.Location))
	v.wpTime("date_gmt", at.UTC())
	v.Open("guid", '{')
	v.Text("rendered", v.blob(i, i.File))
	v.Close('}')
	v.wpTime("modified", at.In(v.scope.Site.Location))
	v.wpTime("modified_gmt", at.UTC())
	v.slug(wording.Slug(name))
	v.Text("status", "inherit")
	v.Text("type", "attachment")
	v.Text("link", v.blob(i, i.File))
	v.wpRendered("title", name, true)
	v.Int("author", i.Author)
	v.Int("featured_media", 0)
	v.Text("comment_status", "closed")
	v.Text("ping_status", "closed")
	v.Text("template", "")
	v.Raw("meta", "[]")
	v.wpRendered("description", "", true)
	v.wpRendered("caption", "", true)
	v.Text("alt_text", i.Alt)
	v.Text("media_type", "image")
	v.Text("mime_type", i.MIME)
	v.wpMediaDetails(i)
	v.Raw("post", "null")
	v.Text("source_url", v.blob(i, i.File))
	v.Open("_links", '{')
	v.href("self", v.api+"/media/"+strconv.FormatInt(i.ID, 10))
	v.href("collection", v.api+"/media")
	v.Close('}')
	v.Close('}')
}

func (v *view) wpMediaDetails(i *calendar.Image) {
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
		v.Text("source_url", v.blob(i, s.File))
		v.Close('}')
	}
	v.Close('}')
	v.Raw("image_meta", "{}")
	v.Close('}')
}

// wpUser writes the current user.
func (v *view) wpUser(p tenancy.Principal) {
	v.Item()
	v.Int("id", p.UserID)
	v.Text("name", p.Login)
	v.Text("url", "")
	v.Text("description", "")
	v.Text("link", v.pages+"/")
	v.Text("slug", wording.Slug(p.Login))
	v.Texts("roles", string(p.Role))
	v.Raw("meta", "[]")
	v.Open("_links", '{')
	v.href("self", v.api+"/users/me")
	v.Close('}')
	v.Close('}')
}
