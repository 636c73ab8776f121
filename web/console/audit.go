package console

import (
	"context"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/history"
)

// The kinds and actions of the provider's history offered in the filter.
var (
	historyKinds   = []string{"site", "defaults", "plan", "token", "session"}
	historyActions = []string{"create", "update", "delete", "undelete", "purge", "export", "import", "roll_back",
		"sign_in", "sign_in_failed"}
)

// audit shows the provider's history. Its entries include the new values.
func (w *Pages) audit(v *frame.Visit, _ string) (*frame.Reply, error) {
	a := providerAudit(v)
	f, err := a.Filter(v)
	if err == nil {
		f.Content = true
		var list []tenancy.Entry
		if list, a.Next, err = w.platform.History.Provider(v.Ctx, f); err == nil {
			a.Deeds = history.Single(list)
		}
	}
	if err != nil && !a.Form.Refuse(v.Ctx, err) {
		return nil, err
	}
	if at, ok := tenancy.ParsePosition(v.Query.Get("open")); ok {
		for i := range a.Deeds {
			if e := a.Deeds[i].First(); e.Position == at {
				a.Open = e
			}
		}
	}
	return &frame.Reply{Title: a.Title, Section: "audit", Body: history.Show(a)}, nil
}

// providerAudit returns the page of the provider's history.
func providerAudit(v *frame.Visit) *history.Page {
	return &history.Page{Form: &frame.Form{Kind: "audit", Values: v.Query}, Path: frame.ConsoleRoot + "/audit",
		Title: frame.Tell(v.Ctx, "console.audit"),
		Kinds: historyKinds, Actions: historyActions, Link: entryLink}
}

// exportAudit exports the provider's history.
func (w *Pages) exportAudit(v *frame.Visit, _ string) (*frame.Reply, error) {
	return providerAudit(v).Export(v, w.platform.History.EachProvider)
}

// entryLink returns the address of the subject of an entry in the provider's history.
func entryLink(e *tenancy.Entry) string {
	switch {
	case e.Position.Kind == "site" && e.Action != "purge":
		return siteAddress(e.Object)
	case e.Position.Kind == "plan" && e.Action != "delete":
		return planAddress(e.Object)
	}
	return ""
}

// siteAudit shows the history of one site.
func (w *Pages) siteAudit(v *frame.Visit, slug string) (*frame.Reply, error) {
	inside, a, err := w.auditOfSite(v, slug)
	if err != nil {
		return nil, err
	}
	if err := a.Read(inside, v, w.platform.History); err != nil {
		return nil, err
	}
	return &frame.Reply{Title: a.Title, Section: "sites", Body: inContext(inside, history.Show(a))}, nil
}

// exportSiteAudit exports the history of one site.
func (w *Pages) exportSiteAudit(v *frame.Visit, slug string) (*frame.Reply, error) {
	inside, a, err := w.auditOfSite(v, slug)
	if err != nil {
		return nil, err
	}
	at := *v
	at.Ctx = inside
	return a.Export(&at, w.platform.History.Each)
}

// auditOfSite returns the history page of a site, and a context in which the provider acts on the site.
func (w *Pages) auditOfSite(v *frame.Visit, slug string) (context.Context, *history.Page, error) {
	inside, err := w.inside(v, slug)
	if err != nil {
		return nil, nil, err
	}
	site := tenancy.Current(inside).Site
	return onClock(inside), &history.Page{Form: &frame.Form{Kind: "audit", Values: v.Query}, Path: siteAddress(slug) + "/audit",
		Title: frame.TellWith(v.Ctx, "console.audit.of", "Site", site.Name), Kinds: history.AuditKinds, Actions: history.AuditActions,
		Link: func(*tenancy.Entry) string { return "" }, Back: siteAddress(slug)}, nil
}
