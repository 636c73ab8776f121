package web

import (
	"context"

	"github.com/kalends/kalends/tenancy"
)

// The kinds and actions of the provider's history to choose from.
var (
	consoleKinds = []string{"site", "plan", "token", "session"}
	consoleDeeds = []string{"create", "update", "delete", "undelete", "purge", "export", "import", "sign_in", "sign_in_failed"}
)

// consoleAudit shows what the provider did. Its entries say themselves what came
// instead.
func (w *admin) consoleAudit(v *visit, _ string) (*reply, error) {
	a := providerAudit(v)
	f, err := a.filter(v)
	if err == nil {
		a.entries, a.next, err = w.platform.History.Provider(v.ctx, f)
	}
	if err != nil && !a.form.refuse(v.ctx, err) {
		return nil, err
	}
	if at, ok := tenancy.ParsePlace(v.query.Get("open")); ok {
		for i := range a.entries {
			if a.entries[i].Place == at {
				a.open = &a.entries[i]
			}
		}
	}
	return &reply{title: a.title, section: "audit", body: auditPage(a)}, nil
}

// providerAudit is the page of the provider's history.
func providerAudit(v *visit) *audit {
	return &audit{form: &form{kind: "audit", values: v.query}, path: consoleRoot + "/audit", title: tell(v.ctx, "console.audit"),
		kinds: consoleKinds, deeds: consoleDeeds, link: consoleEntryLink}
}

// exportConsoleAudit sends the provider's history.
func (w *admin) exportConsoleAudit(v *visit, _ string) (*reply, error) {
	return providerAudit(v).exported(v, w.platform.History.EachProvider)
}

// consoleEntryLink leads to what an entry of the provider's history is about.
func consoleEntryLink(e *tenancy.Entry) string {
	switch {
	case e.Place.Kind == "site" && e.Action != "purge":
		return consoleAddress(e.Object)
	case e.Place.Kind == "plan" && e.Action != "delete":
		return consolePlanAddress(e.Object)
	}
	return ""
}

// consoleSiteAudit shows the history of one site.
func (w *admin) consoleSiteAudit(v *visit, slug string) (*reply, error) {
	inside, a, err := w.auditOfSite(v, slug)
	if err != nil {
		return nil, err
	}
	if err := w.readAudit(inside, v, a); err != nil {
		return nil, err
	}
	return &reply{title: a.title, section: "sites", body: inContext(inside, auditPage(a))}, nil
}

// exportConsoleSiteAudit sends the history of one site.
func (w *admin) exportConsoleSiteAudit(v *visit, slug string) (*reply, error) {
	inside, a, err := w.auditOfSite(v, slug)
	if err != nil {
		return nil, err
	}
	at := *v
	at.ctx = inside
	return a.exported(&at, w.platform.History.Each)
}

// auditOfSite is the page of the history of a site, and a context in which the
// provider acts on it.
func (w *admin) auditOfSite(v *visit, slug string) (context.Context, *audit, error) {
	inside, err := w.consoleInside(v, slug)
	if err != nil {
		return nil, nil, err
	}
	site := tenancy.Current(inside).Site
	return inside, &audit{form: &form{kind: "audit", values: v.query}, path: consoleAddress(slug) + "/audit",
		title: tellWith(v.ctx, "console.audit.of", "Site", site.Name), kinds: auditKinds, deeds: auditDeeds,
		link: func(*tenancy.Entry) string { return "" }, back: consoleAddress(slug)}, nil
}
