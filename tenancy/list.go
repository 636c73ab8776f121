package tenancy

import "github.com/kalends/kalends/internal/args"

// Filter are the query arguments of a list of sites or users.
type Filter struct {
	args.Paging
	Search args.Opt[string] `arg:"search,max=500"`
}

// Query returns the query that the arguments describe; it allows at most 50 entries a page.
func (f *Filter) Query() Query {
	return Query{
		Page:    f.Number(),
		PerPage: f.Length(),
		Search:  Fold(f.Search.Or("")),
	}
}

// Query says which sites or users to list.
type Query struct {
	Page, PerPage int
	Search        string // folded; matches entries that contain it
	Domain        string // Search as a domain, "" if it is not one; also matches sites with this domain
	State         State  // only sites with this Standing; "": all
	Role          Role   // only users with this role; "": all
	Plan          string // only sites with this plan; "": all
	Sort          string // one of SiteSorts; "": by slug
}

// Page is one page of a list and the number of all entries.
type Page[T any] struct {
	Items []*T
	Total int
}
