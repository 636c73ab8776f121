package people

import (
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/history"
)

// showAudit shows who changed what, when and from where. The address holds the whole state of the page.
func (w *Pages) showAudit(v *frame.Visit) (*frame.Reply, error) {
	a := siteAudit(v)
	if err := a.Read(v.Ctx, v, w.platform.History); err != nil {
		return nil, err
	}
	return &frame.Reply{Title: a.Title, Section: "audit", Body: history.Show(a)}, nil
}

// siteAudit is the page for the people of the site. Those who don't administer it see only what they did themselves.
func siteAudit(v *frame.Visit) *history.Page {
	a := &history.Page{
		Form:    &frame.Form{Kind: "audit", Values: v.Query},
		Title:   frame.Tell(v.Ctx, "nav.audit"),
		Path:    frame.AdminRoot + "/audit",
		Kinds:   history.AuditKinds,
		Actions: history.AuditActions,
		Link:    entryLink,
		Desk:    true,
	}
	if !v.Scope().Principal.MayRead(tenancy.ManageSite) {
		a.Own, a.Kinds, a.Actions = true, history.OwnKinds, history.OwnActions
	}
	return a
}

// entryLink returns the address of an entry's object, or "" if it has no page.
func entryLink(e *tenancy.Entry) string {
	if e.Action == "delete" {
		return ""
	}
	kind := e.Position.Kind
	if kind == "report" { // the entry names the kind of the reported item
		kind = "event"
		for _, place := range []string{"venue", "organizer"} {
			if e.Before[place] != nil {
				kind = place
			}
		}
	}
	switch kind {
	case "event":
		return frame.Address("events", e.Position.ID)
	case "venue":
		return frame.Address("venues", e.Position.ID)
	case "organizer":
		return frame.Address("organizers", e.Position.ID)
	case "category":
		return frame.Address("categories", e.Position.ID)
	case "tag":
		return frame.Address("tags", e.Position.ID)
	}
	return ""
}

// exportAudit sends the history of the site.
func (w *Pages) exportAudit(v *frame.Visit) (*frame.Reply, error) {
	return siteAudit(v).Export(v, w.platform.History.Each)
}
