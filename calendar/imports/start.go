package imports

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Upload is a file that was sent.
type Upload struct {
	Name    string
	Content io.Reader
}

// editor reports whether the principal may import for the whole site. Others may import only their own drafts.
func editor(p tenancy.Principal) bool { return p.May(tenancy.EditOthers | tenancy.Publish) }

// Start queues the import of a file or of an address. asked are the arguments as sent. It returns the queued
// import, *args.Problems, or tenancy.ErrForbidden if the principal may import only drafts but requests more.
func (s *Service) Start(ctx context.Context, f *Fields, asked args.Values, file *Upload) (*Import, error) {
	scope, err := s.writing(ctx)
	if err != nil {
		return nil, err
	}
	site := f.Format.Or("") == Site
	if !editor(scope.Principal) && (site || f.Status.Or("draft") != "draft" || f.Gone.Or(Keep) != Keep) {
		return nil, tenancy.ErrForbidden
	}
	found := &args.Problems{}
	switch {
	case file == nil && !f.URL.Given():
		found.Missing("file")
	case file != nil && (site || f.URL.Given()):
		found.Invalid("url", "problem.import.both", nil)
	}
	if err := found.Err(); err != nil {
		return nil, err
	}
	i := s.asked(ctx, f, asked)
	content := func(func([]byte) error) error { return nil }
	if file != nil {
		i.Name, content = shortName(file.Name), pieces(file.Content)
	} else {
		i.Address, i.URL = strings.TrimSpace(f.URL.Or("")), masked(f.URL.Or(""))
		i.Source = digest([]string{"url", i.Address})
		if site { // the site's name is known only when it responds
			i.Source, i.Secret = nil, s.sealed(scope.Site.ID, f)
		}
	}
	if err := s.store.Create(ctx, i, content); err != nil {
		return nil, tenancy.Wrap("start import", err)
	}
	s.works.Wake()
	return i, nil
}

// writing returns the scope if its principal may import and the site accepts writes.
func (s *Service) writing(ctx context.Context) (*tenancy.Scope, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	if err := scope.Principal.Require(tenancy.EditOwn); err != nil {
		return nil, err
	}
	switch {
	case tenancy.ByProvider(ctx):
	case scope.Site.State == tenancy.ReadOnly:
		return nil, tenancy.ErrReadOnly
	case scope.Site.State == tenancy.Closed:
		return nil, tenancy.ErrClosed
	}
	return scope, nil
}

// addressed are the arguments that are stored separately because they may be secret.
var addressed = []string{"url", "user", "password"}

// aboutSite returns the text that binds a sealed user and password to the importing site.
func aboutSite(site int64) string { return fmt.Sprintf("import of site %d", site) }

// sealed returns user and password in the encrypted form that is stored until the import has its file, or nil if there are
// none.
func (s *Service) sealed(site int64, f *Fields) []byte {
	if !f.User.Given() {
		return nil
	}
	return s.Box.Seal([]byte(f.User.Or("")+"\n"+f.Password.Or("")), aboutSite(site))
}

// asked returns an import to be queued, with its arguments.
func (s *Service) asked(ctx context.Context, f *Fields, sent args.Values) *Import {
	kept := args.Values{}
	for name, value := range sent {
		if table.Field(name) != nil && !slices.Contains(addressed, name) {
			kept[name] = value
		}
	}
	i := &Import{State: Queued, DryRun: f.DryRun.Or(false), Policy: f.Policy.Or(Update), Asked: kept, By: tenancy.SourceOf(ctx),
		Credential: tenancy.Current(ctx).Principal.Credential}
	if format := f.Format.Or("auto"); format != "auto" {
		i.Format = format
	}
	return i
}

// pieceBytes is the size of the pieces in which files are stored, one per row.
const pieceBytes = 1 << 20

// pieces returns a function that yields the pieces of a file. It returns *args.Problems if the file is too large.
func pieces(r io.Reader) func(func([]byte) error) error {
	return func(yield func([]byte) error) error {
		total := 0
		for {
			piece := make([]byte, pieceBytes)
			n, err := io.ReadFull(r, piece)
			if total += n; total > reading.MaxBytes {
				return args.Invalid("file", "problem.import.large", map[string]any{"Max": reading.MaxBytes >> 20})
			}
			if n > 0 || total == 0 { // an empty file is stored as well, so that its reader reports it
				if err := yield(piece[:n]); err != nil {
					return err
				}
			}
			switch err {
			case nil:
			case io.EOF, io.ErrUnexpectedEOF: // as ReadFull returns them
				return nil
			default:
				return err
			}
		}
	}
}

// shortName returns the name of a file for display.
func shortName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' {
			return -1
		}
		return r
	}, name[strings.LastIndexAny(name, `/\`)+1:])
	if letters := []rune(name); len(letters) > 200 {
		return string(letters[:200])
	}
	return strings.ToValidUTF8(name, "")
}

// masked returns an address without the parts that may be private: query, user and password.
func masked(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return ""
	}
	shown := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	if u.RawQuery != "" {
		shown.RawQuery = "…"
	}
	return shown.String()
}

// reader returns the user whose imports the principal may see, or 0 for all. It returns an error if they may see none.
func (s *Service) reader(ctx context.Context) (int64, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return 0, err
	}
	p := scope.Principal
	switch {
	case p.MayRead(tenancy.EditOthers | tenancy.Publish):
		return 0, nil
	case p.MayRead(tenancy.EditOwn):
		return p.UserID, nil
	case p.Anonymous():
		return 0, tenancy.ErrUnauthenticated
	}
	return 0, tenancy.ErrForbidden
}

// List returns one page of the site's imports, newest first. Editors see all, others only their own.
func (s *Service) List(ctx context.Context, f *Filter) (calendar.Page[Import], error) {
	user, err := s.reader(ctx)
	if err != nil {
		return calendar.Page[Import]{}, err
	}
	page, err := s.store.List(ctx, f.Number(), f.Length(), user, f.Source.Or(0), false)
	return page, tenancy.Wrap("list imports", err)
}

// Current is List without dry runs that wait for nothing: they led to an import, or there is a newer dry run of the same file.
func (s *Service) Current(ctx context.Context, f *Filter) (calendar.Page[Import], error) {
	user, err := s.reader(ctx)
	if err != nil {
		return calendar.Page[Import]{}, err
	}
	page, err := s.store.List(ctx, f.Number(), f.Length(), user, f.Source.Or(0), true)
	return page, tenancy.Wrap("list imports", err)
}

// Get returns an import, or ErrNoImport.
func (s *Service) Get(ctx context.Context, id int64) (*Import, error) {
	user, err := s.reader(ctx)
	if err != nil {
		return nil, err
	}
	i, err := s.store.Get(ctx, id)
	switch {
	case err != nil:
		return nil, tenancy.Wrap("get import", err)
	case user != 0 && i.By.UserID != user:
		return nil, ErrNoImport
	}
	return i, nil
}

// Entries returns one page of the report of an import, in the order of its file.
func (s *Service) Entries(ctx context.Context, id int64, f *EntryFilter) (calendar.Page[Entry], error) {
	if _, err := s.Get(ctx, id); err != nil {
		return calendar.Page[Entry]{}, err
	}
	page, err := s.store.Entries(ctx, id, Result(f.Result.Or("")), f.Page.Or(1), f.Length())
	return page, tenancy.Wrap("list entries of an import", err)
}

// Rerun runs the file of a dry run for real. For an import that would have removed too much, it confirms the
// removal and runs the import again. It returns ErrNotDry, ErrRunning or ErrNoFile.
func (s *Service) Rerun(ctx context.Context, id int64, f *Rerunning) (*Import, error) {
	return s.Revise(ctx, id, &Revision{Series: f.Series})
}

// Revise is Rerun with changes to the file. Instead of running the import, it can do another dry run. It also
// returns ErrManyEdits.
func (s *Service) Revise(ctx context.Context, id int64, by *Revision) (*Import, error) {
	scope, err := s.writing(ctx)
	if err != nil {
		return nil, err
	}
	dry, err := s.Get(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case !dry.Ended():
		return nil, ErrRunning
	case !dry.DryRun && (dry.Problem == nil || dry.Problem.Code != goneTooMany || by.Look):
		return nil, ErrNotDry
	}
	edits, err := s.changes(ctx, dry, by)
	if err != nil {
		return nil, err
	}
	i := *dry
	i.State, i.DryRun, i.Asked = Queued, by.Look, maps.Clone(dry.Asked)
	delete(i.Asked, "dry_run")
	if by.Look {
		i.Asked["dry_run"] = true
	}
	if all := dry.edits().with(edits); len(all) > 0 {
		i.Asked[editsArg] = all
	}
	if by.Columns != nil {
		i.Asked["columns"] = objectOf(by.Columns)
	}
	if by.Status != "" && editor(scope.Principal) {
		i.Asked["status"] = by.Status
	}
	i.Asked[sentArg] = dry.sent().UTC().Format(time.RFC3339)
	if series, said := by.Series.Get(); said {
		if i.Format != Site && series {
			return nil, args.Invalid("series", "problem.import.series", nil)
		}
		i.Asked["series"] = series
	}
	if dry.Problem != nil && dry.Problem.Code == goneTooMany {
		i.Asked[confirmed] = true
	}
	i.Started, i.Finished, i.LeftOut = time.Time{}, time.Time{}, nil
	i.Handed, i.By, i.Credential, i.Counts, i.Total, i.Problem = nil, tenancy.SourceOf(ctx), scope.Principal.Credential, Counts{}, 0, nil
	if err := s.store.Copy(ctx, &i, id); err != nil {
		return nil, tenancy.Wrap("run a dry run", err)
	}
	s.works.Wake()
	return &i, nil
}

// objectOf returns the meanings of columns as an argument.
func objectOf(columns map[string]string) map[string]any {
	object := map[string]any{}
	for name, meaning := range columns {
		object[name] = meaning
	}
	return object
}

// TakeBack queues an import that undoes another, and returns it; its report says what was undone. It returns
// ErrRunning, ErrUndone, or ErrTooLate if the import is too old or created nothing.
func (s *Service) TakeBack(ctx context.Context, id int64) (*Import, error) {
	scope, err := s.writing(ctx)
	if err != nil {
		return nil, err
	}
	of, err := s.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	until := of.UndoableUntil()
	switch {
	case !of.Ended():
		return nil, ErrRunning
	case !of.Undone.IsZero():
		return nil, ErrUndone
	case until.IsZero(), s.Clock().After(until):
		return nil, ErrTooLate
	}
	i := &Import{
		State:      Queued,
		Format:     Undo,
		Policy:     of.Policy,
		Name:       of.Name,
		URL:        of.URL,
		Undoes:     of.ID,
		Source:     slices.Clone(of.Source),
		From:       of.From,
		By:         tenancy.SourceOf(ctx),
		Credential: scope.Principal.Credential,
		Asked:      args.Values{},
	}
	if err := s.store.Undo(ctx, i); err != nil {
		return nil, tenancy.Wrap("undo import", err)
	}
	s.works.Wake()
	return i, nil
}

// Made returns the venues, organizers, categories and tags that an import has created and that still exist.
func (s *Service) Made(ctx context.Context, id int64) ([]Made, error) {
	if _, err := s.Get(ctx, id); err != nil {
		return nil, err
	}
	unused, used, err := s.store.Made(ctx, id)
	return slices.Concat(unused, used), tenancy.Wrap("made by import", err)
}

// Removable reports whether a principal who sees an import may cancel or delete it: somebody who edits only a part of the calendar may not
// do so with imports of others.
func Removable(p tenancy.Principal, i *Import) bool { return p.Area.Whole() || i.By.UserID == p.UserID }

// Remove cancels an import that has not ended; events stored so far are kept. It deletes an import that has ended,
// together with its report. It returns the last state of the import, or tenancy.ErrForbidden if it is someone else's and
// the principal edits only a part of the calendar.
func (s *Service) Remove(ctx context.Context, id int64) (*Import, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	if err := scope.Principal.Require(tenancy.EditOwn); err != nil {
		return nil, err
	}
	i, err := s.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if !Removable(scope.Principal, i) {
		return nil, tenancy.ErrForbidden
	}
	if i.Ended() {
		return i, tenancy.Wrap("forget import", s.store.Remove(ctx, id))
	}
	if err := s.store.Cancel(ctx, id); err != nil {
		return nil, tenancy.Wrap("cancel import", err)
	}
	s.works.Stop(Ref{scope.Site.ID, id})
	i, err = s.Get(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("cancel import: %w", err)
	}
	return i, nil
}
