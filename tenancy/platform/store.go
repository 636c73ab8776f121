package platform

import (
	"context"
	"time"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// Store keeps sites and accounts. Each call is one transaction; no transaction spans several calls. Values that the
// database refuses are *args.Problems.
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
	// ByHost returns the site that has a host as a domain of its own.
	ByHost(ctx context.Context, host string) (*tenancy.Site, error)
	BySlug(ctx context.Context, slug string) (*tenancy.Site, error)
	// List returns one page of the sites by slug.
	List(ctx context.Context, q tenancy.Query) (tenancy.Page[tenancy.Site], error)
	// Sums returns the total usage of the sites that List finds, on all pages.
	Sums(ctx context.Context, q tenancy.Query) (tenancy.Usage, error)
	// Traffic returns one page of the sites that List finds, with their traffic in the last 24 hours, or 30 days if
	// month is set.
	Traffic(ctx context.Context, q tenancy.Query, month bool) (tenancy.Page[SiteTraffic], error)
	// Spans returns one page of the traffic of sites by hours or days, the first ones first, or the sum of each site.
	Spans(ctx context.Context, q TrafficQuery) (tenancy.Page[SpanTraffic], error)
	// Listed returns one page, by name, of the sites that are in the directory and have pages.
	Listed(ctx context.Context, q tenancy.Query) (tenancy.Page[tenancy.Site], error)
	// Defaults returns the values that new sites get unless the request sets others.
	Defaults(ctx context.Context) (SiteDefaults, error)
	// SetDefaults stores what Defaults returns.
	SetDefaults(ctx context.Context, d SiteDefaults) error
	// Create stores a new site and its first user, if there is one; it creates both or neither. It fills in the
	// site's id and time of creation.
	Create(ctx context.Context, s *tenancy.Site, first *tenancy.User) error
	// Update reads the site, calls change with it, stores the result and raises the site's version. If change
	// fails, nothing is stored.
	Update(ctx context.Context, slug string, change func(*tenancy.Site) error) (*tenancy.Site, error)
	// Configure is Update for settings that a site's own administrators may change.
	Configure(ctx context.Context, slug string, change func(*tenancy.Site) error) (*tenancy.Site, error)
	// ConfigureFields is Configure for the fields that a site adds. It deletes the values of the field with the key
	// goes, unless that is "".
	ConfigureFields(ctx context.Context, slug, goes string, change func(*tenancy.Site) error) (*tenancy.Site, error)
	// FieldUse returns how many events and venues of a site have a value in a field.
	FieldUse(ctx context.Context, site int64, key string) (FieldUse, error)
	// CountTexts returns how a change of a site's language would affect its texts.
	CountTexts(ctx context.Context, site int64, from, to string) (tenancy.LanguageChange, error)
	// Due returns the id of a deleted site whose days of grace are over. It skips sites in tried and locked sites.
	// It returns 0 if there is none.
	Due(ctx context.Context, now time.Time, tried []int64) (int64, error)
	// Purge removes a deleted site whose days of grace are over, with everything in it. It calls files, which
	// removes the site's blobs, and then deletes the rows. The site stays locked throughout. If files fails, the
	// rows are kept. It returns the site's slug, or "" if the site no longer exists.
	Purge(ctx context.Context, id int64, now time.Time, files func(context.Context) error) (string, error)
}
