package feeds

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"encoding/xml"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

// maxNews is the maximum number of events in a news feed.
const maxNews = 50

// news is the content of a feed of published events, independent of its format.
type news struct {
	scope   *tenancy.Scope
	about   About
	address string // of the feed itself
	events  []*calendar.Event
	now     time.Time
}

// Form is the format of a news feed.
type Form struct {
	Suffix, Type string
	write        func(*news) ([]byte, error)
}

// Forms are the supported formats.
var Forms = []Form{
	{"rss", "application/rss+xml; charset=utf-8", (*news).rss},
	{"atom", "application/atom+xml; charset=utf-8", (*news).atom},
	{"json", "application/feed+json; charset=utf-8", (*news).json},
}

// News returns a feed of the most recently published events that match a filter. address is the address of the feed
// itself.
func News(ctx context.Context, events services.Events, form Form, f *calendar.FeedFilter, about About, address string,
) (*Document, error) {
	page, until, err := events.Newest(ctx, f, maxNews)
	if err != nil {
		return nil, err
	}
	n := &news{scope: tenancy.Current(ctx), about: about, address: address, events: page.Items, now: events.Now()}
	body, err := form.write(n)
	if err != nil {
		return nil, err
	}
	next := func(context.Context) ([]byte, error) {
		if body == nil {
			return nil, io.EOF
		}
		made := body
		body = nil
		return made, nil
	}
	return &Document{Kind: form.Type, Version: page.Version, Until: until,
		Changed: changed(ctx, until, events.Now()), next: next}, nil
}

func (n *news) title() string { return titleOf(n.scope, n.about) }

// page returns the address of the page that shows the same events.
func (n *news) page() string { return n.scope.Base.Pages() + n.about.Path }

func (n *news) link(e *calendar.Event) string { return e.Address(n.scope.Base.Pages()) }

// id returns a permanent identifier of an entry, a URN with the event's iCalendar UID.
func (n *news) id(e *calendar.Event) string {
	return "urn:kalends:event:" + url.PathEscape(services.UIDOf(n.scope.Site, e))
}

// updated returns when the last of the entries changed.
func (n *news) updated() time.Time {
	last := n.scope.Site.Created
	for _, e := range n.events {
		if e.Modified.After(last) {
			last = e.Modified
		}
	}
	return last.UTC()
}

// content returns an entry as HTML: time, place, description, as plain text if it is too long, and facts.
func (n *news) content(e *calendar.Event) string {
	var b strings.Builder
	line := n.about.Said.When(e)
	if e.Masked {
		paragraph(&b, line)
		return b.String()
	}
	online := onlineOf(n.scope, e, n.now)
	if place := placeOf(n.scope, e, online); place != "" && place != online {
		line += " · " + place
	}
	paragraph(&b, line)
	if online != "" {
		link := fact{name: i18n.Text(n.scope.Language, "public.attendance.online", nil), address: online}
		b.WriteString("<p>" + link.formatted() + "</p>")
	}
	switch plain, formatted := descriptionOf(n.scope, e); {
	case formatted != "":
		b.WriteString(formatted)
	case plain != "":
		paragraph(&b, strings.Join(strings.Fields(plain), " "))
	}
	if facts := factsOf(n.scope, e, &n.about.Said); len(facts) > 0 {
		lines := make([]string, len(facts))
		for i, f := range facts {
			lines[i] = f.formatted()
		}
		b.WriteString("<p>" + strings.Join(lines, "<br />") + "</p>")
	}
	return b.String()
}

func paragraph(b *strings.Builder, text string) {
	b.WriteString("<p>")
	_ = xml.EscapeText(b, []byte(text)) // a strings.Builder never fails
	b.WriteString("</p>")
}

func (n *news) terms(e *calendar.Event) (names []string) {
	if e.Masked {
		return nil
	}
	for _, list := range [][]calendar.Term{e.Categories, e.Tags} {
		for i := range list {
			names = append(names, list[i].Name)
		}
	}
	return names
}

func (n *news) image(e *calendar.Event) string {
	if e.Masked {
		return ""
	}
	return imageOf(n.scope, e)
}

func imageOf(scope *tenancy.Scope, e *calendar.Event) string {
	if e.Image == nil {
		return ""
	}
	return addressOf(scope.Base.Origin, e.Image, e.Image.Large().File)
}

// PictureAddress returns the URL of the original of an image, from which it can be imported again, on a site whose
// URLs begin with origin.
func PictureAddress(origin string, image *calendar.Image) string {
	return addressOf(origin, image, image.File)
}

func addressOf(origin string, image *calendar.Image, file string) string {
	return origin + "/media/" + image.Key + "/" + url.PathEscape(file)
}

type (
	rssFeed struct {
		XMLName xml.Name   `xml:"rss"`
		Version string     `xml:"version,attr"`
		Atom    string     `xml:"xmlns:atom,attr"`
		Channel rssChannel `xml:"channel"`
	}
	rssChannel struct {
		Title       string    `xml:"title"`
		Link        string    `xml:"link"`
		Description string    `xml:"description"`
		Language    string    `xml:"language"`
		Built       string    `xml:"lastBuildDate"`
		TTL         int       `xml:"ttl"`
		Self        xmlLink   `xml:"atom:link"`
		Items       []rssItem `xml:"item"`
	}
	rssItem struct {
		Title       string   `xml:"title"`
		Link        string   `xml:"link"`
		GUID        rssGUID  `xml:"guid"`
		Published   string   `xml:"pubDate"`
		Categories  []string `xml:"category"`
		Description string   `xml:"description"`
	}
	rssGUID struct {
		Permalink bool   `xml:"isPermaLink,attr"`
		ID        string `xml:",chardata"`
	}
	xmlLink struct {
		Rel  string `xml:"rel,attr,omitempty"`
		Type string `xml:"type,attr,omitempty"`
		Href string `xml:"href,attr"`
	}
)

func (n *news) rss() ([]byte, error) {
	feed := rssFeed{Version: "2.0", Atom: "http://www.w3.org/2005/Atom", Channel: rssChannel{
		Title: n.title(), Link: n.page(), Description: n.title(), Language: n.scope.Language,
		Built: n.updated().Format(time.RFC1123Z), TTL: int(refresh.Minutes()),
		Self: xmlLink{"self", "application/rss+xml", n.address}}}
	for _, e := range n.events {
		feed.Channel.Items = append(feed.Channel.Items, rssItem{
			Title:       n.about.Said.Title(e),
			Link:        n.link(e),
			GUID:        rssGUID{false, n.id(e)},
			Published:   e.Date.UTC().Format(time.RFC1123Z),
			Categories:  n.terms(e),
			Description: n.content(e),
		})
	}
	return asXML(feed)
}

type (
	atomFeed struct {
		XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
		Lang    string      `xml:"xml:lang,attr"`
		ID      string      `xml:"id"`
		Title   string      `xml:"title"`
		Updated string      `xml:"updated"`
		Author  string      `xml:"author>name"`
		Links   []xmlLink   `xml:"link"`
		Entries []atomEntry `xml:"entry"`
	}
	atomEntry struct {
		ID         string     `xml:"id"`
		Title      string     `xml:"title"`
		Published  string     `xml:"published"`
		Updated    string     `xml:"updated"`
		Link       xmlLink    `xml:"link"`
		Categories []atomTerm `xml:"category"`
		Content    atomText   `xml:"content"`
	}
	atomTerm struct {
		Term string `xml:"term,attr"`
	}
	atomText struct {
		Type string `xml:"type,attr"`
		Text string `xml:",chardata"`
	}
)

func (n *news) atom() ([]byte, error) {
	feed := atomFeed{Lang: n.scope.Language, ID: n.address, Title: n.title(), Updated: n.updated().Format(time.RFC3339),
		Author: cmp.Or(n.scope.Words().Name, n.scope.Site.Slug),
		Links:  []xmlLink{{"self", "application/atom+xml", n.address}, {"alternate", "text/html", n.page()}}}
	for _, e := range n.events {
		entry := atomEntry{ID: n.id(e), Title: n.about.Said.Title(e), Published: e.Date.UTC().Format(time.RFC3339),
			Updated: e.Modified.UTC().Format(time.RFC3339), Link: xmlLink{"alternate", "text/html", n.link(e)},
			Content: atomText{"html", n.content(e)}}
		for _, name := range n.terms(e) {
			entry.Categories = append(entry.Categories, atomTerm{name})
		}
		feed.Entries = append(feed.Entries, entry)
	}
	return asXML(feed)
}

func asXML(feed any) ([]byte, error) {
	b, err := xml.Marshal(feed)
	return append([]byte(xml.Header), b...), err
}

type (
	jsonFeed struct {
		Version  string     `json:"version"`
		Title    string     `json:"title"`
		Page     string     `json:"home_page_url"`
		Address  string     `json:"feed_url"`
		Language string     `json:"language"`
		Items    []jsonItem `json:"items"`
	}
	jsonItem struct {
		ID        string   `json:"id"`
		URL       string   `json:"url"`
		Title     string   `json:"title"`
		HTML      string   `json:"content_html"`
		Image     string   `json:"image,omitempty"`
		Published string   `json:"date_published"`
		Modified  string   `json:"date_modified"`
		Tags      []string `json:"tags,omitempty"`
	}
)

func (n *news) json() ([]byte, error) {
	feed := jsonFeed{Version: "https://jsonfeed.org/version/1.1", Title: n.title(), Page: n.page(), Address: n.address,
		Language: n.scope.Language, Items: []jsonItem{}}
	for _, e := range n.events {
		feed.Items = append(feed.Items, jsonItem{
			ID:        n.id(e),
			URL:       n.link(e),
			Title:     n.about.Said.Title(e),
			HTML:      n.content(e),
			Image:     n.image(e),
			Published: e.Date.UTC().Format(time.RFC3339),
			Modified:  e.Modified.UTC().Format(time.RFC3339),
			Tags:      n.terms(e),
		})
	}
	var b bytes.Buffer
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false)
	err := w.Encode(feed)
	return b.Bytes(), err
}
