package api

import (
	"context"
	"encoding/json"
	"time"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// listRequests returns how many requests sites got, by hours, days or altogether.
func (p *Platform) listRequests(ctx context.Context, c Call, in *platform.TrafficFilter) (*Answer, error) {
	page, err := p.platform.Sites.Spans(ctx, in)
	if err != nil {
		return nil, err
	}
	var links params
	links.length(in.Length())
	for _, name := range []string{"site", "span", "from", "to"} {
		text, _ := c.Values[name].(string)
		links.text(name, text)
	}
	v := NewView(scopeOf(ctx))
	v.list("requests", len(page.Items), func(i int) { v.requests(page.Items[i]) })
	return v.paged(listing{collection: "requests", page: in.Number(), perPage: in.Length(), total: page.Total, links: links}, 0), nil
}

// RequestsObject returns requests of a site as the platform's interface does, for the command line.
func RequestsObject(t *platform.SpanTraffic) json.RawMessage {
	v := NewView(&tenancy.Scope{})
	v.requests(t)
	return v.Bytes
}

// requests writes how many requests a site got within an hour, a day or the whole time.
func (v *View) requests(t *platform.SpanTraffic) {
	v.Item()
	v.Text("site", t.Slug)
	v.Text("begins", t.Begins.UTC().Format(time.RFC3339))
	v.Int("requests", t.Requests)
	v.Int("refused_limit", t.Limited)
	v.Int("refused_plan", t.Full)
	v.Int("refused_busy", t.Busy)
	v.Int("errors", t.Errors)
	v.Close('}')
}
