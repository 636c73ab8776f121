package api

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"

	"github.com/kalends/kalends/calendar/webhooks"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// HomeOf returns what sets the addresses of a scope outside of requests: home has the scheme and host of an earlier one. The host is
// always one of the site's own.
func HomeOf(r *platform.Resolver) func(scope *tenancy.Scope, home string) {
	return func(scope *tenancy.Scope, home string) {
		scope.Base = tenancy.Base{Origin: home, Scheme: "https", Namespace: Namespace}
		if u, err := url.Parse(home); err == nil && u.Scheme != "" {
			scope.Base.Scheme = u.Scheme
			if port := u.Port(); port != "" {
				scope.Base.Port = ":" + port
			}
		}
		scope.Base.Origin = r.Sent(scope)
	}
}

// byDelivery are the path arguments of a try to send a message.
type byDelivery struct {
	ByID
	Delivery args.Opt[int64] `arg:"delivery,path"`
}

// webhookRoutes are the routes of webhooks.
func (a *API) webhookRoutes() []Route {
	const (
		get, post, del       = "GET", "POST", "DELETE"
		read, create, update = args.Reading, args.Creating, args.Updating
		kind, one            = "webhook", "Webhook"
		all, id              = "/webhooks", "/webhooks/{id}"
	)
	return []Route{
		On[Nothing](get, all, "webhooks.list", read, a.listWebhooks).Of(kind, "WebhookList").By(tenancy.WriteWebhooks).more(),
		On[Nothing](post, all, "webhooks.create", create, a.createWebhook).Of(kind, one).By(tenancy.WriteWebhooks).more(),
		On[ByID](get, id, "webhooks.get", read, a.getWebhook).Of(kind, one).By(tenancy.WriteWebhooks).more(),
		On[ByID](post, id, "webhooks.update", update, a.updateWebhook).Of(kind, one).By(tenancy.WriteWebhooks).more(),
		On[ByID](del, id, "webhooks.delete", read, a.deleteWebhook).Of(kind, one).By(tenancy.WriteWebhooks).more(),
		On[ByID](post, id+"/secret", "webhooks.renew", read, a.renewWebhook).Of(kind, one).By(tenancy.WriteWebhooks).more(),
		On[ByID](post, id+"/test", "webhooks.test", read, a.testWebhook).Of(kind, one).By(tenancy.WriteWebhooks).more().Later(),
		On[ByID](get, id+"/deliveries", "webhooks.deliveries.list", read, a.listDeliveries).Of(kind, "DeliveryList").
			By(tenancy.WriteWebhooks).more(),
		On[byDelivery](post, id+"/deliveries/{delivery}/redeliver", "webhooks.redeliver", read, a.redeliver).Of(kind, one).
			By(tenancy.WriteWebhooks).more().Later(),
	}
}

func (a *API) listWebhooks(ctx context.Context, _ Call, _ *Nothing) (*Answer, error) {
	if a.Webhooks == nil {
		return nil, ErrNoRoute
	}
	list, version, err := a.Webhooks.List(ctx)
	if err != nil {
		return nil, err
	}
	v := a.newView(ctx)
	v.List("webhooks", len(list), func(i int) { v.webhook(list[i], "") })
	v.Close('}')
	return v.Answer(version), nil
}

func (a *API) createWebhook(ctx context.Context, _ Call, in *webhooks.Fields) (*Answer, error) {
	if a.Webhooks == nil {
		return nil, ErrNoRoute
	}
	w, secret, err := a.Webhooks.Create(ctx, in)
	if err != nil {
		return nil, err
	}
	return a.webhookAnswer(ctx, w, secret).at(ctx, "/webhooks", w.ID), nil
}

func (a *API) getWebhook(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	return a.webhookOf(ctx, func() (*webhooks.Webhook, error) { return a.Webhooks.Get(ctx, c.Key.ID) })
}

func (a *API) updateWebhook(ctx context.Context, c Call, in *webhooks.Fields) (*Answer, error) {
	return a.webhookOf(ctx, func() (*webhooks.Webhook, error) {
		if c.Unchanged {
			return a.Webhooks.Editable(ctx, c.Key.ID)
		}
		return a.Webhooks.Update(ctx, c.Key.ID, in, c.Condition)
	})
}

func (a *API) deleteWebhook(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	return a.webhookOf(ctx, func() (*webhooks.Webhook, error) { return a.Webhooks.Delete(ctx, c.Key.ID, c.Condition) })
}

func (a *API) testWebhook(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	return a.webhookOf(ctx, func() (*webhooks.Webhook, error) { return a.Webhooks.Test(ctx, c.Key.ID) })
}

func (a *API) redeliver(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	return a.webhookOf(ctx, func() (*webhooks.Webhook, error) { return a.Webhooks.Redeliver(ctx, c.Key.ID, c.Delivery) })
}

func (a *API) renewWebhook(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	if a.Webhooks == nil {
		return nil, ErrNoRoute
	}
	w, secret, err := a.Webhooks.Renew(ctx, c.Key.ID)
	if err != nil {
		return nil, err
	}
	return a.webhookAnswer(ctx, w, secret), nil
}

func (a *API) listDeliveries(ctx context.Context, c Call, in *args.Paging) (*Answer, error) {
	if a.Webhooks == nil {
		return nil, ErrNoRoute
	}
	list, err := a.Webhooks.Deliveries(ctx, c.Key.ID, in)
	if err != nil {
		return nil, err
	}
	var links Params
	links.Length(in.Length())
	v := a.newView(ctx)
	v.List("deliveries", len(list.Items), func(i int) { v.delivery(list.Items[i]) })
	l := Listing{
		Collection: "webhooks/" + strconv.FormatInt(c.Key.ID, 10) + "/deliveries",
		Page:       in.Number(),
		PerPage:    in.Length(),
		Total:      list.Total,
		Links:      links,
	}
	return v.Paged(l, 0), nil
}

// webhookOf answers with a webhook.
func (a *API) webhookOf(ctx context.Context, get func() (*webhooks.Webhook, error)) (*Answer, error) {
	if a.Webhooks == nil {
		return nil, ErrNoRoute
	}
	w, err := get()
	if err != nil {
		return nil, err
	}
	return a.webhookAnswer(ctx, w, ""), nil
}

// webhookAnswer answers with a webhook, and with its secret if it is new.
func (a *API) webhookAnswer(ctx context.Context, w *webhooks.Webhook, secret string) *Answer {
	v := a.newView(ctx)
	v.webhook(w, secret)
	answer := v.Answer(w.Version)
	answer.secret, answer.Once = true, secret != ""
	return answer
}

// webhook writes a webhook. Its secret is known only when it is new.
func (v *View) webhook(w *webhooks.Webhook, secret string) {
	v.Item()
	v.Int("id", w.ID)
	v.Text("url", w.URL)
	v.Texts("events", w.Events...)
	filter := []byte("null")
	if w.Filter != nil {
		filter, _ = json.Marshal(w.Filter) //nolint:errchkjson // it was read from JSON
	}
	v.Raw("filter", string(filter))
	v.Text("payload", w.Payload)
	v.TextOrNull("language", w.Language)
	v.Bool("active", w.Active)
	v.TextOrNull("problem", string(w.Off))
	v.Bool("ed25519", w.Public() != "")
	v.Some("public_key", w.Public())
	v.Some("secret", secret)
	v.Digits("author", w.User)
	v.Int("waiting", int64(w.Waiting))
	if w.Last == nil {
		v.Raw("last_delivery", "null")
	} else {
		v.Open("last_delivery", '{')
		v.outcome(w.Last)
		v.Close('}')
	}
	v.Instant("created", w.Created)
	v.Text("rest_url", v.Root+"/webhooks/"+strconv.FormatInt(w.ID, 10))
	v.Close('}')
}

// delivery writes a try to send a message.
func (v *View) delivery(d *webhooks.Delivery) {
	v.Item()
	v.Int("id", d.ID)
	v.Text("message", d.Message)
	v.Int("try", int64(d.Try))
	v.outcome(d)
	v.Int("duration", d.Took.Milliseconds())
	v.Raw("request", d.Request)
	v.Text("response", d.Answer)
	v.Close('}')
}

// outcome writes the result of a try.
func (v *View) outcome(d *webhooks.Delivery) {
	v.Text("type", d.Event)
	v.Instant("time", d.At)
	if d.Status == 0 {
		v.Raw("status", "null")
	} else {
		v.Int("status", int64(d.Status))
	}
	v.TextOrNull("problem", d.Problem)
}
