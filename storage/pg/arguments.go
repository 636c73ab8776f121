package pg

import (
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/tenancy"
)

// PageArgs are the arguments of a list.
func PageArgs(q tenancy.Query) pgx.NamedArgs {
	return pgx.NamedArgs{
		"search": q.Search,
		"domain": q.Domain,
		"state":  string(q.State),
		"plan":   q.Plan,
		"limit":  q.PerPage,
		"offset": (int64(q.Page) - 1) * int64(q.PerPage),
	}
}

// UseArgs are the arguments of a statement that stores times of last use by id.
func UseArgs(used map[int64]time.Time) pgx.NamedArgs {
	ids := slices.Sorted(maps.Keys(used))
	times := make([]time.Time, len(ids))
	for i, id := range ids {
		times[i] = used[id]
	}
	return pgx.NamedArgs{"ids": ids, "times": times}
}
