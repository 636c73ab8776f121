package platform

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/kalends/kalends/internal/memory"
	"github.com/kalends/kalends/internal/rate"
	"github.com/kalends/kalends/tenancy"
)

// How long pages of the directory are remembered, how many of them, and how often the store is queried for other
// pages: a hundred times in a row, then once every 20 ms.
const (
	directoryLife  = 10 * time.Second
	directoryLimit = 64
	directoryEach  = 20 * time.Millisecond
	directoryMost  = 100
)

// DirectoryPage is how many sites a page of the directory has.
const DirectoryPage = 50

// ErrManySearches says that there were too many searches in the directory.
var ErrManySearches = errors.New("too many searches for sites")

// Directory is the list of sites on the home page of the platform. A site is listed if its administrators choose
// so. Everyone may read the directory ([tenancy.Settings.Listed], ADR 200).
type Directory struct {
	store SiteStore
	pages memory.Of[*tenancy.Page[tenancy.Site]]
	asks  rate.Budget
}

// newDirectory returns the directory of a store.
func newDirectory(store SiteStore, clock func() time.Time) *Directory {
	return &Directory{store: store,
		pages: memory.Of[*tenancy.Page[tenancy.Site]]{Life: directoryLife, Limit: directoryLimit, Clock: clock},
		asks:  rate.Budget{Each: directoryEach, Most: directoryMost, Clock: clock}}
}

// List returns one page, by name, of the listed sites whose name, slug or tagline contains a text. It returns
// ErrManySearches after too many searches. Callers share the sites and must not change them.
func (d *Directory) List(ctx context.Context, search string, page int) (*tenancy.Page[tenancy.Site], error) {
	q := tenancy.Query{Search: tenancy.Fold(search), Page: page, PerPage: DirectoryPage}
	found, err := d.pages.Get(ctx, strconv.Itoa(page)+" "+q.Search, func(ctx context.Context) (*tenancy.Page[tenancy.Site], int64, error) {
		if !d.asks.Take() {
			return nil, 0, ErrManySearches
		}
		list, err := d.store.Listed(ctx, q)
		return &list, 0, err
	})
	return found, tenancy.Wrap("list the directory", err)
}
