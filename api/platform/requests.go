package platform

import (
	"context"
	"encoding/json"
	"time"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// listRequests returns how many requests sites got, by hours, days or altogether.
func (p *API) listRequests(ctx context.Context, c api.Call, in *platform.TrafficFilter) (*api.Answer, error) {
	page, err := p.platform.Sites.Spans(ctx, in)
	if err != nil {
		return nil, err
	}
	var links api.Params
	links.Length(in.Length())
	for _, name := range []string{"site", "span", "from", "to"} {
		text, _ := c.Values[name].(string)
		links.Text(name, text)
	}
	v := newView(ctx)
	v.List("requests", len(page.Items), func(i int) { v.requests(page.Items[i]) })
	return v.Paged(api.Listing{Collection: "requests", Page: in.Number(), PerPage: in.Length(), Total: page.Total, Links: links}, 0), nil
}

// RequestsObject returns requests of a site as the platform's interface does, for the command line.
func RequestsObject(t *platform.SpanTraffic) json.RawMessage {
	v := view{api.NewView(&tenancy.Scope{})}
	v.requests(t)
	return v.Bytes
}

// requests writes how many requests a site got within an hour, a day or the whole time.
func (v view) requests(t *platform.SpanTraffic) {
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
