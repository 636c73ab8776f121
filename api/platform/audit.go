package platform

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"time"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/tenancy"
)

// siteAudit returns the history of a site.
func (p *API) siteAudit(ctx context.Context, c api.Call, in *tenancy.HistoryFilter) (*api.Answer, error) {
	inside, err := p.inside(ctx, c)
	if err != nil {
		return nil, err
	}
	list, next, err := p.platform.History.List(inside, in)
	return auditAnswer(ctx, c, "/sites/"+c.Key.Slug+"/audit", list, next, err)
}

// audit returns the provider's history.
func (p *API) audit(ctx context.Context, c api.Call, in *tenancy.HistoryFilter) (*api.Answer, error) {
	list, next, err := p.platform.History.Provider(ctx, in)
	return auditAnswer(ctx, c, "/audit", list, next, err)
}

func auditAnswer(ctx context.Context, c api.Call, path string, list []tenancy.Entry, next string, err error) (*api.Answer, error) {
	if err != nil {
		return nil, err
	}
	v := newView(ctx)
	v.List("entries", len(list), func(i int) { v.entry(&list[i]) })
	if next != "" {
		v.Text("next_rest_url", tenancy.Current(ctx).Base.API()+path+"?"+auditQuery(c, next).Encode())
	}
	v.Close('}')
	return v.Answer(0), nil
}

// auditQuery returns the filter for the next page.
func auditQuery(c api.Call, next string) url.Values {
	q := url.Values{}
	for _, name := range []string{"who", "kind", "action", "id", "from", "to", "per_page"} {
		if value, ok := c.Values[name]; ok && value != nil {
			q.Set(name, fmt.Sprint(value))
		}
	}
	q.Set("after", next)
	return q
}

// entry writes a history entry.
func (v view) entry(e *tenancy.Entry) {
	v.Item()
	v.Text("place", e.Position.String())
	v.Text("at", e.At.Format(time.RFC3339))
	v.Text("action", e.Action)
	v.Text("kind", e.Position.Kind)
	v.Int("id", e.Position.ID)
	v.Some("object", e.Object)
	v.Int("user_id", e.UserID)
	v.Text("who", e.Who)
	v.Text("via", string(e.Via))
	v.Some("key", e.Key)
	v.Text("address", e.Address)
	v.replaced("before", e.Before)
	v.replaced("after", e.After)
	v.Close('}')
}

// replaced writes an object of the history unless it is nil.
func (v view) replaced(name string, fields map[string]any) {
	if fields == nil {
		return
	}
	if raw, err := json.Marshal(fields); err == nil { // came as JSON, so it cannot fail
		v.Raw(name, string(raw))
	}
}
