// Package hooks has the pages on which administrators manage the webhooks of a site: there, they create and test
// webhooks, and see requests and responses.
package hooks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/webhooks"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
)

const path = frame.AdminRoot + "/webhooks"

// shown is how many deliveries a page has.
const shown = 20

// Pages are the pages about webhooks.
type Pages struct {
	webhooks *webhooks.Service  // nil: the installation has no webhooks
	platform *platform.Platform // prevents a form that is sent twice from creating two webhooks
}

// New returns the pages.
func New(s *webhooks.Service, p *platform.Platform) *Pages { return &Pages{s, p} }

// Routes are the routes of these pages, for the administration to add to its own.
func (w *Pages) Routes() []frame.Route {
	const may = tenancy.ManageSite
	return []frame.Route{
		frame.GetPage("/webhooks", may, w.list),
		frame.FormPage("/webhooks", may, w.create),
		frame.GetPage("/webhooks/#", may, w.show),
		frame.FormPage("/webhooks/#", may, w.change),
	}
}

// index is the list of webhooks with the form for a new one.
type index struct {
	form *frame.Form
	list []*webhooks.Webhook
}

// editor is the page of a webhook.
type editor struct {
	*webhooks.Webhook
	form       *frame.Form
	secret     string // set only when it is new
	stale      bool   // it was changed after the administrator saw it
	deliveries tenancy.Page[webhooks.Delivery]
	page       int
}

var table = args.TableOf(reflect.TypeFor[webhooks.Fields]())

// fields are the fields of the form, in order.
var fields = []string{"url", "events", "filter", "payload", "ed25519", "active"}

func (w *Pages) list(v *frame.Visit) (*frame.Reply, error) {
	v.Form.Values = url.Values{"once": {frame.NewToken()}, "events": {webhooks.Every}, "active": {"1"}}
	return w.index(v, 0)
}

func (w *Pages) index(v *frame.Visit, status int) (*frame.Reply, error) {
	if w.webhooks == nil {
		return nil, calendar.ErrNotFound
	}
	list, _, err := w.webhooks.List(v.Ctx)
	if err != nil {
		return nil, err
	}
	v.Form.Kind = "webhook"
	return &frame.Reply{
		Status:  status,
		Title:   frame.Tell(v.Ctx, "nav.webhooks"),
		Section: "webhooks",
		Body:    indexPage(&index{v.Form, list}),
	}, nil
}

// read returns the arguments of a form.
func read(f *frame.Form, mode args.Mode) (*webhooks.Fields, error) {
	values := args.Values{}
	for _, name := range fields {
		f.Read(table.Field(name), values)
	}
	return frame.Parsed[webhooks.Fields](table, values, mode)
}

func (w *Pages) create(v *frame.Visit) (*frame.Reply, error) {
	v.Form.Kind = "webhook"
	if w.webhooks == nil || v.Form.ShownAgain() {
		return w.index(v, 0)
	}
	in, err := read(v.Form, args.Creating)
	var made *webhooks.Webhook
	var secret string
	if err == nil {
		_, err = w.platform.Forms.Once(v.Ctx, v.Form.Get("once"), "webhook", func(ctx context.Context) (id int64, err error) {
			if made, secret, err = w.webhooks.Create(ctx, in); err != nil {
				return 0, err
			}
			return made.ID, nil
		})
	}
	switch {
	case err != nil && v.Form.Refuse(v.Ctx, err):
		return w.index(v, http.StatusUnprocessableEntity)
	case err != nil:
		return nil, err
	case made == nil: // the form was sent before, and the key was shown then
		return &frame.Reply{Redirect: path, Say: "key.made"}, nil
	}
	return w.reply(v, &editor{Webhook: made, form: formOf(made), secret: secret, page: 1}, 0)
}

func (w *Pages) show(v *frame.Visit) (*frame.Reply, error) {
	hook, err := w.get(v)
	if err != nil {
		return nil, err
	}
	ed := &editor{Webhook: hook, form: formOf(hook), page: 1}
	if n, err := strconv.Atoi(v.Query.Get("page")); err == nil && n > 0 && n < 1_000_000 {
		ed.page = n
	}
	return w.reply(v, ed, 0)
}

func (w *Pages) get(v *frame.Visit) (*webhooks.Webhook, error) {
	if w.webhooks == nil {
		return nil, calendar.ErrNotFound
	}
	return w.webhooks.Get(v.Ctx, v.ID)
}

func (w *Pages) reply(v *frame.Visit, ed *editor, status int) (*frame.Reply, error) {
	ed.form.Kind = "webhook"
	paging := &args.Paging{Page: args.Some(ed.page), PerPage: args.Some(shown)}
	var err error
	if ed.deliveries, err = w.webhooks.Deliveries(v.Ctx, ed.ID, paging); err != nil {
		return nil, err
	}
	return &frame.Reply{Status: status, Title: host(ed.URL), Section: "webhooks", Body: editorPage(ed)}, nil
}

// change performs the action of the pressed button.
func (w *Pages) change(v *frame.Visit) (*frame.Reply, error) {
	hook, err := w.get(v)
	if err != nil {
		return nil, err
	}
	here := frame.Address("webhooks", hook.ID)
	ed := &editor{Webhook: hook, form: formOf(hook), page: 1}
	switch v.Form.Get("do") {
	case "save":
		return w.save(v, hook)
	case "test":
		_, err = w.webhooks.Test(v.Ctx, hook.ID)
		return &frame.Reply{Redirect: here, Say: "webhook.sent"}, err
	case "again":
		id, _ := strconv.ParseInt(v.Form.Get("delivery"), 10, 64)
		if _, err = w.webhooks.Redeliver(v.Ctx, hook.ID, id); errors.Is(err, webhooks.ErrNoDelivery) {
			return &frame.Reply{Redirect: here}, nil
		}
		return &frame.Reply{Redirect: here, Say: "webhook.sent"}, err
	case "renew":
		if ed.Webhook, ed.secret, err = w.webhooks.Renew(v.Ctx, hook.ID); err != nil {
			return nil, err
		}
		return w.reply(v, ed, 0)
	case "delete":
		return w.remove(v, hook)
	}
	return w.reply(v, ed, 0)
}

func (w *Pages) save(v *frame.Visit, hook *webhooks.Webhook) (*frame.Reply, error) {
	ed := &editor{Webhook: hook, form: v.Form, page: 1}
	ed.form.Kind = "webhook"
	if v.Form.ShownAgain() {
		return w.reply(v, ed, 0)
	}
	in, err := read(v.Form, args.Updating)
	if err == nil {
		seen, _ := strconv.ParseInt(v.Form.Get("seen"), 10, 64)
		_, err = w.webhooks.Update(v.Ctx, hook.ID, in, frame.Still(seen))
	}
	switch {
	case errors.Is(err, calendar.ErrPrecondition):
		ed.stale = true
		ed.form.Set("seen", frame.IDText(hook.Version))
		return w.reply(v, ed, http.StatusConflict)
	case err != nil && v.Form.Refuse(v.Ctx, err):
		return w.reply(v, ed, http.StatusUnprocessableEntity)
	case err != nil:
		return nil, err
	}
	return &frame.Reply{Redirect: frame.Address("webhooks", hook.ID), Say: "saved"}, nil
}

// remove asks for confirmation, then deletes a webhook.
func (w *Pages) remove(v *frame.Visit, hook *webhooks.Webhook) (*frame.Reply, error) {
	if v.Form.Get("sure") == "" {
		return &frame.Reply{Title: frame.Tell(v.Ctx, "delete.title"), Section: "webhooks", Body: frame.ConfirmPage(frame.Confirmation{
			Action: v.Path,
			Back:   frame.Address("webhooks", hook.ID),
			Names:  []frame.Pair{{Name: frame.IDText(hook.ID), Value: hook.URL}},
		})}, nil
	}
	if _, err := w.webhooks.Delete(v.Ctx, hook.ID, nil); err != nil && !errors.Is(err, webhooks.ErrNoWebhook) {
		return nil, err
	}
	return &frame.Reply{Redirect: path, Say: "delete", Count: 1}, nil
}

// formOf is the form of a webhook.
func formOf(w *webhooks.Webhook) *frame.Form {
	tick := map[bool]string{true: "1", false: "0"}
	return &frame.Form{Kind: "webhook", Values: url.Values{
		"url":     {w.URL},
		"events":  {strings.Join(w.Events, ", ")},
		"filter":  {w.Filter.Query()},
		"payload": {w.Payload},
		"ed25519": {tick[w.Public() != ""]},
		"active":  {tick[w.Active]},
		"seen":    {frame.IDText(w.Version)},
	}}
}

func host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Host
}

// pretty indents a JSON message. It returns other messages unchanged.
func pretty(message string) string {
	var b bytes.Buffer
	if json.Indent(&b, []byte(message), "", "  ") != nil {
		return message
	}
	return b.String()
}

// outcome is the result of a delivery: the status of the response, or why there was none.
func outcome(ctx context.Context, d *webhooks.Delivery) string {
	if d.Status == 0 {
		return frame.TellWith(ctx, "webhooks.unanswered", "Why", d.Problem)
	}
	return strings.TrimSpace(strconv.Itoa(d.Status) + " " + http.StatusText(d.Status))
}

func (ed *editor) pages() int { return (ed.deliveries.Total + shown - 1) / shown }

func (ed *editor) address(page int) string {
	return frame.Address("webhooks", ed.ID) + "?page=" + strconv.Itoa(page)
}
