package sources

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/leased"
	"github.com/kalends/kalends/tenancy"
)

// Box encrypts secrets that the service must be able to read again.
type Box interface {
	Seal(secret []byte, about string) []byte
	Open(sealed []byte, about string) ([]byte, error)
}

// Options are what the service needs.
type Options struct {
	Store    Store
	Calendar *services.Calendar
	Imports  *imports.Service
	Web      Web
	Box      Box
	Home     func(*tenancy.Scope) string // scheme and host of addresses in messages
	Wait     time.Duration               // how long another installation waits for changes before it responds; 0: it responds immediately
	Clock    func() time.Time            // nil means time.Now
	Logger   *slog.Logger                // nil disables logging
}

// Service is the service over the sources of sites. Only administrators have access.
type Service struct {
	Options
	works *leased.Works[Ref]
	slots chan struct{} // one for each source being read
	ears  chan struct{} // one for each installation being followed
	rung  time.Time     // last check for changed sites
	under sync.WaitGroup
}

// New returns the service. Sources are read by Run.
func New(o Options) *Service {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Service{Options: o, works: leased.New[Ref](ErrLost, beat, storeTimeout), slots: make(chan struct{}, together),
		ears: make(chan struct{}, followed)}
}

// managing returns the scope of a principal who may manage sources.
func managing(ctx context.Context) (*tenancy.Scope, error) {
	return tenancy.Permitted(ctx, tenancy.WriteSources, tenancy.ManageSite)
}

// looking returns the scope of a principal who may see sources.
func looking(ctx context.Context) (*tenancy.Scope, error) {
	return tenancy.PermittedToRead(ctx, tenancy.WriteSources, tenancy.ManageSite)
}

// open reports whether a principal may see and change a source. A key with fewer rights than its owner has access only to
// sources that were created with it.
func (w *Source) open(p tenancy.Principal) bool {
	return p.Limits == nil || w.Credential == p.Credential
}

// List returns all sources of the site, the oldest first, and the site's version.
func (s *Service) List(ctx context.Context) ([]*Source, int64, error) {
	scope, err := looking(ctx)
	if err != nil {
		return nil, 0, err
	}
	list, version, err := s.Store.List(ctx)
	list = slices.DeleteFunc(list, func(w *Source) bool { return !w.open(scope.Principal) })
	return list, version, tenancy.Wrap("list sources", err)
}

// Get returns a source, or ErrNoSource.
func (s *Service) Get(ctx context.Context, id int64) (*Source, error) {
	scope, err := looking(ctx)
	if err != nil {
		return nil, err
	}
	w, err := s.Store.Get(ctx, id)
	if err == nil && !w.open(scope.Principal) {
		w, err = nil, ErrNoSource
	}
	return w, tenancy.Wrap("get source", err)
}

// Editable is Get for principals who may change the source.
func (s *Service) Editable(ctx context.Context, id int64) (*Source, error) {
	if _, err := managing(ctx); err != nil {
		return nil, err
	}
	return s.Get(ctx, id)
}

// Create creates a source, which is read as soon as possible. The source acts with the rights of its creator and no others.
// sent are the arguments as they were sent.
func (s *Service) Create(ctx context.Context, f *Fields, sent args.Values) (*Source, error) {
	scope, err := managing(ctx)
	if err != nil {
		return nil, err
	}
	who := scope.Principal
	if who.UserID == 0 { // there is no user whose rights the source could have
		return nil, tenancy.ErrForbidden
	}
	w := &Source{
		Every:      f.Every.Or(3600),
		Policy:     f.Policy.Or(imports.Update),
		Gone:       f.Gone.Or(goneOf(f.Kind.Or(""))),
		Active:     f.Active.Or(true),
		User:       who.UserID,
		Credential: who.Credential,
		Home:       s.Home(scope),
	}
	if err := s.apply(ctx, w, f, sent); err != nil {
		return nil, tenancy.Wrap("create source", err)
	}
	if err := s.recognised(scope.Site.ID, w); err != nil {
		return nil, err
	}
	if w.Active {
		w.Next = s.Clock()
	}
	if err := s.Store.Create(ctx, w); err != nil {
		return nil, tenancy.Wrap("create source", err)
	}
	s.works.Wake()
	return w, nil
}

// goneOf is the default for events that a source of a kind no longer has. They go to the trash for another installation, which
// lists all that it shows, and are cancelled for others.
func goneOf(kind string) string {
	if kind == Kalends {
		return imports.Trash
	}
	return imports.Cancel
}

// recognised sets the key by which a new source's entries are recognized later.
func (s *Service) recognised(site int64, w *Source) error {
	if w.Kind == Site {
		w.Known = imports.Digest([]any{"site", w.Giver})
		return nil
	}
	secret, err := s.open(site, w)
	if err == nil {
		w.Known = imports.Digest([]string{"url", secret.URL})
	}
	return err
}

// Update changes a source. If its imports would have another result, it is read again.
func (s *Service) Update(ctx context.Context, id int64, f *Fields, sent args.Values, cond calendar.Condition) (*Source, error) {
	scope, err := managing(ctx)
	if err != nil {
		return nil, err
	}
	w, err := s.Store.Update(ctx, id, func(w *Source) error {
		if !w.open(scope.Principal) {
			return ErrNoSource
		}
		if err := cond.Check(w.Version); err != nil {
			return err
		}
		was := *w
		if err := s.apply(ctx, w, f, sent); err != nil {
			return err
		}
		f.Active.Patch(&w.Active, true)
		s.again(&was, w, f)
		return nil
	})
	if err != nil {
		return nil, tenancy.Wrap("update source", err)
	}
	s.works.Wake()
	return w, nil
}

// again sets the time of the next reading of a changed source.
func (s *Service) again(was, w *Source, f *Fields) {
	now := s.Clock()
	anew := f.URL.Given() || f.User.Given() || f.Password.Given() || was.Kind != w.Kind || was.Policy != w.Policy || was.Gone != w.Gone ||
		string(imports.Digest(was.Given)) != string(imports.Digest(w.Given)) ||
		string(imports.Digest([]any{was.Filter, was.Mapping})) != string(imports.Digest([]any{w.Filter, w.Mapping}))
	if anew {
		w.ETag, w.Modified, w.Digest = "", "", nil
	}
	switch {
	case !w.Active:
		w.Next = time.Time{}
	case anew || !was.Active:
		w.Next = now
	case was.Every != w.Every && !w.Read.IsZero():
		w.Next = w.Read.Add(time.Duration(w.Every) * time.Second)
	}
}

// Delete removes a source. Its events remain, or go to the trash one by one.
func (s *Service) Delete(ctx context.Context, id int64, f *Removal, cond calendar.Condition) (*Source, error) {
	scope, err := managing(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := s.Get(ctx, id); err != nil {
		return nil, err
	}
	what, said := f.Events.Get()
	if !said {
		found := &args.Problems{}
		found.Missing("events")
		return nil, found.Err()
	}
	trash := what == TrashEvents
	if is, err := s.Get(ctx, id); err != nil {
		return nil, err
	} else if is.Kind == Site && !trash {
		return nil, args.Invalid("events", "problem.enum", map[string]any{"Allowed": TrashEvents})
	}
	if trash && scope.Principal.UserID == 0 {
		return nil, tenancy.ErrForbidden
	}
	w, err := s.Store.Delete(ctx, id, trash, cond)
	if err != nil {
		return nil, tenancy.Wrap("delete source", err)
	}
	s.works.Stop(Ref{scope.Site.ID, id})
	s.works.Wake()
	return w, nil
}

// ReadNow makes a node read a source as soon as possible, even if the source is not active.
func (s *Service) ReadNow(ctx context.Context, id int64) (*Source, error) {
	if _, err := s.Editable(ctx, id); err != nil {
		return nil, err
	}
	w, err := s.Store.Hurry(ctx, id)
	if err != nil {
		return nil, tenancy.Wrap("read source", err)
	}
	s.works.Wake()
	return w, nil
}

// about returns the text that binds a sealed secret to its site.
func about(site int64) string { return "site " + strconv.FormatInt(site, 10) }

func (s *Service) seal(site int64, w *Source, secret *Secret) error {
	text, err := json.Marshal(secret) //nolint:gosec // it is sealed before it is stored
	if err != nil {
		return fmt.Errorf("write where a source is: %w", err)
	}
	w.Sealed = s.Box.Seal(text, about(site))
	return nil
}

func (s *Service) open(site int64, w *Source) (*Secret, error) {
	text, err := s.Box.Open(w.Sealed, about(site))
	if err != nil {
		return nil, fmt.Errorf("open where a source is: %w", err)
	}
	secret := &Secret{}
	return secret, errors.Join(json.Unmarshal(text, secret))
}
