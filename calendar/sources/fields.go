package sources

import (
	"context"
	"maps"
	"net/url"
	"strings"

	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Fields are the arguments of a source.
type Fields struct {
	Name     args.Opt[string]   `arg:"name,required,nonempty,nonull,max=200"`
	Kind     args.Opt[string]   `arg:"kind,required,nonull,enum=ics|table|json|schema|tec|kalends|site"`
	URL      args.Opt[string]   `arg:"url,required,nonempty,nonull,max=2000"`
	User     args.Opt[string]   `arg:"user,max=200"`
	Password args.Opt[string]   `arg:"password,max=200"`
	Page     args.Opt[args.URL] `arg:"site"`
	Every    args.Opt[int]      `arg:"every,default=3600,nonull,min=900,max=604800"`
	Policy   args.Opt[string]   `arg:"policy,default=update,nonull,enum=update|skip|replace"`
	Gone     args.Opt[string]   `arg:"gone,computed=cancel,nonull,enum=keep|cancel|trash"`
	imports.Handling
	Filter  args.Opt[args.TextOrObject] `arg:"filter"`
	Mapping args.Opt[args.TextOrObject] `arg:"mapping"`
	Active  args.Opt[bool]              `arg:"active,default=true,nonull"`
}

// Removal are the arguments for deleting a source. They must say what happens to its events.
type Removal struct {
	Events args.Opt[string] `arg:"events,required,nonull,enum=keep|trash"`
}

// given are the arguments of a source that it passes on to its imports.
var given = imports.Handlings()

// Check refuses invalid URLs and columns that are not names.
func (f *Fields) Check(found *args.Problems) {
	address, ok := f.URL.Get()
	slug := f.Kind.Or("") == Site || !f.Kind.Given() && tenancy.SlugForm(strings.ToLower(strings.TrimSpace(address)))
	if ok && !slug && !strings.Contains(address, "…") && addressOf(address) == nil {
		found.Invalid("url", "problem.url", nil)
	}
	if _, err := imports.Columns(f.Columns); err != nil {
		found.Invalid("columns", "problem.import.columns", nil)
	}
}

// addressOf returns the URL of an address, or nil if it is not an http or https URL.
func addressOf(address string) *url.URL {
	u, err := url.Parse(imports.WebAddress(address))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil
	}
	return u
}

// apply sets the fields of a source. sent are the arguments as they were sent. It returns *args.Problems for an invalid URL.
func (s *Service) apply(ctx context.Context, w *Source, f *Fields, sent args.Values) error {
	f.Name.Patch(&w.Name, "")
	if kind := f.Kind.Or(w.Kind); w.Kind != "" && kind != w.Kind && (kind == Site || w.Kind == Site) {
		return args.Invalid("kind", "problem.enum", map[string]any{"Allowed": w.Kind})
	}
	f.Kind.Patch(&w.Kind, "")
	page := args.URL(w.Page)
	f.Page.Patch(&page, "")
	w.Page = string(page)
	f.Every.Patch(&w.Every, 0)
	f.Policy.Patch(&w.Policy, "")
	f.Gone.Patch(&w.Gone, "")
	w.Given = maps.Clone(w.Given)
	if w.Given == nil {
		w.Given = args.Values{}
	}
	for _, name := range given {
		value, said := sent[name]
		switch {
		case said && (value == nil || value == ""):
			delete(w.Given, name)
		case said:
			w.Given[name] = value
		}
	}
	if err := s.narrow(ctx, w, f); err != nil {
		return err
	}
	if w.Kind == Site {
		return s.giver(ctx, w, f)
	}
	return s.address(tenancy.Current(ctx).Site.ID, w, f)
}

// address sets the URL, the user and the password of a source. If the host changes, it clears the user and the password.
func (s *Service) address(site int64, w *Source, f *Fields) error {
	secret := &Secret{}
	if len(w.Sealed) > 0 {
		var err error
		if secret, err = s.open(site, w); err != nil {
			return err
		}
	}
	if address, given := f.URL.Get(); given && strings.TrimSpace(address) != w.Shown {
		u := addressOf(strings.TrimSpace(address))
		if u == nil || strings.Contains(address, "…") {
			return args.Invalid("url", "problem.url", nil)
		}
		if before := addressOf(secret.URL); before == nil || before.Host != u.Host || before.Scheme == "https" && u.Scheme == "http" {
			secret.User, secret.Password = "", ""
		}
		if u.User != nil {
			secret.User = u.User.Username()
			secret.Password, _ = u.User.Password()
			u.User = nil
		}
		u.Fragment = ""
		secret.URL, w.Shown = u.String(), imports.Masked(u.String())
	}
	f.User.Patch(&secret.User, "")
	f.Password.Patch(&secret.Password, "")
	return s.seal(site, w, secret)
}
