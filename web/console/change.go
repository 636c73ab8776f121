package console

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
)

const changePath = frame.ConsoleRoot + "/change"

// mostChanged is how many sites one form changes.
const mostChanged = 500

// planMark is the prefix of choices that are plans; choices without it are states.
const planMark = "plan."

var deeds = []string{"resume", "suspend", "close"}

// sitesChange is the page on which several sites get a plan or a state.
type sitesChange struct {
	form  *frame.Form
	plans []frame.Pair
	lines []*changedSite
	ready int // number of sites that would change
	made  bool
}

// changedSite is a site with the effect of the change on it.
type changedSite struct {
	site    *tenancy.Site
	was     string // its plan or state before the change
	same    bool   // already so
	over    []string
	problem string
}

// changeSites previews a change of the ticked sites, or of all sites in the list, and makes it once it is
// confirmed. It leaves out sites that already have the chosen plan or state, so the form may be sent again after an
// interruption.
func (w *Pages) changeSites(v *frame.Visit, _ string) (*frame.Reply, error) {
	v.Form.Kind = "change"
	l := &sitesChange{form: v.Form}
	back := listOf(v.Form)
	slugs, err := w.chosenSites(v, back)
	switch {
	case err != nil:
		return nil, err
	case len(slugs) == 0:
		return &frame.Reply{Redirect: back, Say: "none"}, nil
	case len(slugs) > mostChanged:
		return &frame.Reply{Redirect: back, Say: "crowd", Count: mostChanged}, nil
	}
	if l.plans, err = w.planChoices(v.Ctx); err != nil {
		return nil, err
	}
	plan, err := w.chosenPlan(v.Ctx, l.form)
	if err != nil {
		return nil, err
	}
	for _, slug := range slugs {
		site, err := w.platform.Sites.Get(v.Ctx, slug)
		if errors.Is(err, tenancy.ErrNoSite) {
			continue // deleted in the meantime
		}
		if err != nil {
			return nil, err
		}
		line := &changedSite{site: site}
		if len(l.form.Problems) == 0 {
			line.look(v.Ctx, l.form, plan)
		}
		if l.lines = append(l.lines, line); !line.same && line.problem == "" {
			l.ready++
		}
	}
	status := 0
	switch {
	case len(l.form.Problems) > 0:
		status = http.StatusUnprocessableEntity
	case v.Form.Get("do") == "change" && l.ready > 0:
		if err := w.makeChanges(v, l); err != nil {
			return nil, err
		}
		l.made = true
	}
	return &frame.Reply{Status: status, Title: frame.Tell(v.Ctx, "console.change"), Section: "sites", Body: changePage(l)}, nil
}

// listOf returns the address of the list from which a form was sent.
func listOf(f *frame.Form) string {
	if to := frame.Inside(f.Get("to")); frame.PathOf(to) == frame.ConsoleRoot {
		return to
	}
	return frame.ConsoleRoot
}

// chosenSites returns the slugs of the ticked sites or, if the form chooses all, of all sites in the list.
func (w *Pages) chosenSites(v *frame.Visit, list string) ([]string, error) {
	if v.Form.Get("all") == "" {
		return slices.Compact(slices.Sorted(slices.Values(v.Form.All("id")))), nil
	}
	at, err := url.Parse(list)
	if err != nil {
		return nil, err
	}
	f := filterOf(&frame.Form{Values: at.Query()})
	var slugs []string
	for page := 1; len(slugs) <= mostChanged; page++ {
		f.Page, f.PerPage = args.Some(page), args.Some(sitesPerPage)
		found, err := w.platform.Sites.List(v.Ctx, f)
		if err != nil {
			return nil, err
		}
		for _, site := range found.Items {
			slugs = append(slugs, site.Slug)
		}
		if len(found.Items) < sitesPerPage {
			break
		}
	}
	return slugs, nil
}

// chosenPlan checks the choice. It returns the chosen plan, or nil for a state.
func (w *Pages) chosenPlan(ctx context.Context, f *frame.Form) (*tenancy.Plan, error) {
	name, isPlan := strings.CutPrefix(f.Get("set"), planMark)
	if !isPlan {
		if _, known := states[name]; !known {
			f.Wrong("set", frame.Tell(ctx, "required"))
		}
		return nil, nil //nolint:nilnil // a state
	}
	plan, err := w.platform.Plans.Get(ctx, name)
	if errors.Is(err, platform.ErrNoPlan) {
		f.Wrong("set", i18n.T(ctx, "problem.plan.unknown", nil))
		return nil, nil //nolint:nilnil // none
	}
	if err != nil {
		return nil, err
	}
	return &plan.Plan, nil
}

// look fills in the effect of the choice on the site.
func (c *changedSite) look(ctx context.Context, f *frame.Form, plan *tenancy.Plan) {
	if plan == nil {
		c.was = frame.Tell(ctx, "console.state."+string(c.site.Standing()))
		c.same = c.site.State == states[f.Get("set")]
		if c.site.Deleted() {
			c.same, c.problem = false, i18n.T(ctx, "problem.site.deleted", nil)
		}
		return
	}
	c.was, c.same = c.site.Plan.Name, c.site.Plan.Name == plan.Name
	after := *c.site
	after.Plan = *plan
	for limit, into := range map[string]**int64{tenancy.LimitEvents: &after.Plan.Events, tenancy.LimitOccurrences: &after.Plan.Occurrences,
		tenancy.LimitUsers: &after.Plan.Users, tenancy.LimitMedia: &after.Plan.MediaBytes} {
		if own, there := c.site.Overrides[limit]; there {
			*into = own
		}
	}
	for _, b := range bars(ctx, &after) {
		if b.limited && b.used > b.max && !c.same {
			c.over = append(c.over, b.name+": "+b.text(ctx))
		}
	}
}

// makeChanges gives the sites the chosen plan or state.
func (w *Pages) makeChanges(v *frame.Visit, l *sitesChange) error {
	fields := &platform.SiteFields{}
	if name, isPlan := strings.CutPrefix(l.form.Get("set"), planMark); isPlan {
		fields.Plan = args.Some(name)
	} else {
		fields.State = args.Some(string(states[name]))
	}
	for _, line := range l.lines {
		if line.same || line.problem != "" {
			continue
		}
		site, err := w.platform.Sites.Update(v.Ctx, line.site.Slug, fields)
		found := &frame.Form{}
		switch {
		case err == nil:
			line.site = site
		case errors.Is(err, tenancy.ErrNoSite):
			line.problem = frame.Tell(v.Ctx, "console.none")
		case !found.Refuse(v.Ctx, err):
			return err
		default: // the site or the plan was deleted in the meantime
			for _, name := range found.Wrongs(nil) {
				line.problem = found.Problem(name)
			}
		}
	}
	return nil
}

// becomes returns in words the plan or the state that the chosen sites get.
func (l *sitesChange) becomes(ctx context.Context) string {
	name, isPlan := strings.CutPrefix(l.form.Get("set"), planMark)
	if isPlan {
		return name
	}
	return frame.Tell(ctx, "console.state."+string(states[name]))
}
