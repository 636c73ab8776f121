package console

import (
	"context"
	"encoding/csv"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/signin"
)

// mostSites is how many sites a list may name.
const mostSites = 200

// sharedFields are the fields that are the same for all sites of a list.
var sharedFields = []string{"timezone", "language", "plan"}

// siteList is the page on which sites are created from a list.
type siteList struct {
	form  *frame.Form
	plans []frame.Pair
	lines []*siteLine // the lines of the list, parsed
	ready int         // number of sites that can be created
	wrong bool        // a line or the form has problems
	made  bool        // the page shows the results for each line
}

// siteLine is one line of the list.
type siteLine struct {
	name, slug, email string
	problems          []string
	there             bool           // a site with this slug and name exists: the list was sent before
	site              *tenancy.Site  // as created
	invited           *signin.Handed // the invitation of its first administrator; nil if there is none

	fields *platform.SiteFields
	admin  *accounts.UserFields // nil for a site without an administrator
}

func (w *Pages) newSites(v *frame.Visit, _ string) (*frame.Reply, error) {
	f, err := w.freshForm(v)
	if err != nil {
		return nil, err
	}
	return w.listReply(v, &siteList{form: f}, 0)
}

func (w *Pages) listReply(v *frame.Visit, l *siteList, status int) (*frame.Reply, error) {
	plans, err := w.planChoices(v.Ctx)
	if err != nil {
		return nil, err
	}
	l.plans = plans
	return &frame.Reply{Status: status, Title: frame.Tell(v.Ctx, "console.many"), Section: "sites", Body: siteListPage(l)}, nil
}

// foundSites shows the sites that a list would create. When the form is sent again with a token as confirmation, it
// creates all of them. It creates nothing while any line has a problem. It skips lines whose site already exists,
// so a list can be sent again after an interruption.
func (w *Pages) foundSites(v *frame.Visit, _ string) (*frame.Reply, error) {
	v.Form.Kind = "found"
	l := &siteList{form: v.Form, lines: readSites(v.Form.Get("list"), v.Form.Get("language"))}
	again := func(status int) (*frame.Reply, error) { return w.listReply(v, l, status) }
	switch {
	case len(l.lines) == 0:
		v.Form.Wrong("list", frame.Tell(v.Ctx, "required"))
	case len(l.lines) > mostSites:
		v.Form.Wrong("list", frame.TellWith(v.Ctx, "console.many.large", "Max", frame.Number(v.Ctx, mostSites)))
		l.lines = nil
	}
	if err := w.checkSites(v, l); err != nil {
		return nil, err
	}
	switch {
	case l.wrong:
		return again(http.StatusUnprocessableEntity)
	case v.Form.Get("do") != "create" || l.ready == 0:
		return again(0)
	}
	if reply, err := w.present(v, again); reply != nil || err != nil {
		return reply, err
	}
	if err := w.createSites(v, l); err != nil {
		return nil, err
	}
	l.made = true
	return again(0)
}

// readSites reads a list. A line has the name of a site, followed by its slug and the e-mail address of its first
// administrator in any order. Tabs separate them, as in text from a spreadsheet, otherwise semicolons, otherwise
// commas.
func readSites(text, language string) (list []*siteLine) {
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) == "" {
			continue
		}
		one := &siteLine{}
		for i, cell := range cells(line) {
			switch {
			case i == 0:
				one.name = cell
			case strings.Contains(cell, "@") && one.email == "":
				one.email = cell
			case cell != "" && one.slug == "":
				one.slug = strings.ToLower(cell)
			}
		}
		if one.slug == "" {
			one.slug = wording.SlugOf(one.name, language)
		}
		list = append(list, one)
	}
	return list
}

// semicolons replaces the semicolons of other scripts.
var semicolons = strings.NewReplacer("\u061b", ";", "\uff1b", ";")

// cells splits a line. Quotes may enclose a cell.
func cells(line string) []string {
	line = semicolons.Replace(line)
	in := csv.NewReader(strings.NewReader(line))
	in.LazyQuotes, in.TrimLeadingSpace = true, true
	for _, by := range "\t;" {
		if strings.ContainsRune(line, by) {
			in.Comma = by
			break
		}
	}
	list, err := in.Read()
	if err != nil {
		list = []string{line}
	}
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

// checkSites checks all lines. It reports problems of the shared fields only once.
func (w *Pages) checkSites(v *frame.Visit, l *siteList) error {
	taken := map[string]bool{}
	for _, line := range l.lines {
		if err := w.checkSite(v, l.form, line); err != nil {
			return err
		}
		if taken[line.slug] && !line.there {
			line.problems = append(line.problems, i18n.T(v.Ctx, "problem.site.taken", nil))
		}
		taken[line.slug] = true
		switch {
		case len(line.problems) > 0:
			l.wrong = true
		case !line.there:
			l.ready++
		}
	}
	if err := w.knowPlan(v.Ctx, l.form); err != nil {
		return err
	}
	l.wrong = l.wrong || len(l.form.Problems) > 0
	return nil
}

// checkSite parses a line into the arguments of a new site and of its administrator.
func (w *Pages) checkSite(v *frame.Visit, f *frame.Form, line *siteLine) (err error) {
	if line.there, err = w.hasSite(v.Ctx, line); line.there || err != nil {
		return err
	}
	values := args.Values{"name": line.name, "slug": line.slug}
	for _, name := range sharedFields {
		values[name] = strings.TrimSpace(f.Get(name))
	}
	found := &frame.Form{Kind: "found"}
	line.fields, err = frame.Checked(
		siteTable,
		values,
		args.Creating,
		func(fields *platform.SiteFields) error { return w.platform.Sites.Check(v.Ctx, fields) },
	)
	if err != nil && !found.Refuse(v.Ctx, err) {
		return err
	}
	for _, name := range sharedFields {
		if text := found.Problem(name); text != "" {
			f.Wrong(name, text)
			delete(found.Problems, name)
		}
	}
	if line.email != "" {
		handle, _, _ := strings.Cut(line.email, "@")
		who := &frame.Form{Kind: "user", Values: url.Values{"handle": {handle}, "email": {line.email}}}
		line.admin, err = readAdmin(v.Ctx, who, "name", func(*accounts.UserFields) error { return nil })
		if err != nil && !errors.Is(err, frame.ErrWrong) {
			return err
		}
		for _, name := range who.Wrongs(inviteFields) {
			found.Wrong(name, who.Problem(name))
		}
	}
	for _, name := range found.Wrongs([]string{"name", "slug", "email"}) {
		line.problems = append(line.problems, found.Problem(name))
	}
	return nil
}

// hasSite reports whether the site of a line exists, with its slug and its name.
func (w *Pages) hasSite(ctx context.Context, line *siteLine) (bool, error) {
	site, err := w.platform.Sites.Get(ctx, line.slug)
	if errors.Is(err, tenancy.ErrNoSite) {
		return false, nil
	}
	return err == nil && site.Name == line.name, err
}

// createSites creates the sites of all lines that have none, and invites their administrators. If the server stops
// in the middle, the list can be sent again.
func (w *Pages) createSites(v *frame.Visit, l *siteList) error {
	for _, line := range l.lines {
		if line.there {
			continue
		}
		var admin *tenancy.User
		var err error
		if line.admin == nil {
			line.site, err = w.platform.Sites.Create(v.Ctx, line.fields)
		} else {
			line.site, admin, err = w.platform.Sites.Found(v.Ctx, line.fields, line.admin)
		}
		found := &frame.Form{Kind: "found"}
		switch {
		case err != nil && !found.Refuse(v.Ctx, err):
			return err
		case err != nil: // someone has taken the slug in the meantime
			for _, name := range found.Wrongs(nil) {
				line.problems = append(line.problems, found.Problem(name))
			}
			continue
		case admin == nil:
			continue
		}
		inside, err := tenancy.Enter(v.Ctx, line.site)
		if err != nil {
			return err
		}
		given, err := w.letters.Give(inside, admin.ID)
		if err != nil {
			return err
		}
		line.invited = &given
	}
	return nil
}
