package platform

import (
	"context"
	"time"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// Store keeps sites and accounts. Each call is one
// transaction; no transaction crosses this port. Values the database refuses
// are *args.Problems.
type Store interface {
	accounts.Store
	Sites() SiteStore
	History() tenancy.HistoryStore
	Domains() DomainStore
	Plans() PlanStore
	Gatherings() GatheringStore
}

// SiteStore keeps the sites of the installation. Its calls need no Scope and
// return ErrNoSite for sites that don't exist.
type SiteStore interface {
	// ByHost returns the site with that domain of its own.
	ByHost(ctx context.Context, host string) (*tenancy.Site, error)
	BySlug(ctx context.Context, slug string) (*tenancy.Site, error)
	// List returns one page of the sites by slug.
	List(ctx context.Context, q tenancy.Query) (tenancy.Page[tenancy.Site], error)
	// Sums returns what the sites that List finds on all pages hold together.
	Sums(ctx context.Context, q tenancy.Query) (tenancy.Usage, error)
	// Listed returns one page, by name, of the sites that want to be found by everybody and have pages.
	Listed(ctx context.Context, q tenancy.Query) (tenancy.Page[tenancy.Site], error)
	// Create stores a new site and fills in its id and time of creation, and with
	// it, unless that is nil, its first user: both or none.
	Create(ctx context.Context, s *tenancy.Site, first *tenancy.User) error
	// Update reads the site, lets change alter it, stores the result and
	// raises the site's version. Nothing is stored when change fails.
	Update(ctx context.Context, slug string, change func(*tenancy.Site) error) (*tenancy.Site, error)
	// Configure is Update for what a site's own administrators may change.
	Configure(ctx context.Context, slug string, change func(*tenancy.Site) error) (*tenancy.Site, error)
	// ConfigureFields is Configure for the fields that a site adds. What events and venues have in the field that goes is removed; "": none goes.
	ConfigureFields(ctx context.Context, slug, goes string, change func(*tenancy.Site) error) (*tenancy.Site, error)
	// FieldUse returns how much of a site has something in a field.
	FieldUse(ctx context.Context, site int64, key string) (FieldUse, error)
	// CountTexts returns what a change of a site's language would exchange and keep.
	CountTexts(ctx context.Context, site int64, from, to string) (tenancy.LanguageChange, error)
	// Due returns the id of a deleted site whose time is up, that isn't among
	// the tried and that nobody is busy with; 0 when there is none.
	Due(ctx context.Context, now time.Time, tried []int64) (int64, error)
	// Purge removes a deleted site whose time is up with everything in it, and
	// returns its slug; "" when there is no such site, or no more. It holds the
	// site from before files, which removes the site's blobs, to the end, and
	// leaves the rows when files fails.
	Purge(ctx context.Context, id int64, now time.Time, files func(context.Context) error) (string, error)
}
