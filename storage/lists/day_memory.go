package lists

import (
	"cmp"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/internal/bounded"
	"github.com/kalends/kalends/tenancy"
)

// siteDays holds the occurrence_days of a site at one version. It gives the total of a public list for any dates
// without a query. The statement of the list has this total and its version as parameters, and counts only if the
// site has another version.
type siteDays struct {
	version int64
	counted int        // how many lists were counted by Postgres at this version
	read    bool       // whether days has all days of the site
	large   bool       // the site has more days than are kept in memory
	days    []dayCount // by start
}

// dayCount is how many occurrences start on one day and end on another. Days are
// counted from 2000-01-01.
type dayCount struct{ start, end, occurrences int32 }

const (
	countedFirst = 3       // lists that Postgres counts at a version before its days are read
	mostDays     = 20_000  // days kept in memory per site; Postgres counts for a site with more
	dayBytes     = 8 << 20 // for all sites together
)

// Day 0 of Postgres, in Unix time. A Duration is too short to reach every date from there.
const (
	epochDay     = 946_684_800 // 2000-01-01
	secondsOfDay = 24 * 60 * 60
)

// readDays reads the version of a site and its days. It reads one day more than are kept in memory, to notice that
// there are too many.
const readDays = `
	SELECT s.version,
	       d.start_day - '2000-01-01'::date,
	       d.end_day - '2000-01-01'::date,
	       d.occurrences
	FROM sites s
	LEFT JOIN LATERAL (
		SELECT start_day,
		       end_day,
		       occurrences
		FROM occurrence_days
		WHERE site_id = $1
		  AND occurrences > 0
		ORDER BY start_day, end_day
		LIMIT $2
	) d ON true
	WHERE s.id = $1`

// dayMemory remembers days by site.
type dayMemory struct {
	sites bounded.Cache[int64, *siteDays]
}

func newDayMemory() *dayMemory {
	return &dayMemory{bounded.New(bounded.Options[int64, *siteDays]{
		Bytes: dayBytes,
		Weigh: func(_ int64, s *siteDays) uint32 { return uint32(12*len(s.days) + 200) },
	})}
}

// of returns the remembered days of a site. If none are remembered, their version is -1.
func (m *dayMemory) of(site int64) *siteDays {
	if s, ok := m.sites.Get(site); ok {
		return s
	}
	return &siteDays{version: tenancy.NoVersion}
}

// note records that Postgres counted a list of a site at a version.
func (m *dayMemory) note(site, version int64) {
	m.sites.Change(site, func(s *siteDays, _ bool) (*siteDays, bounded.Outcome) {
		switch {
		case s == nil || s.version < version:
			return &siteDays{version: version, counted: 1}, bounded.Keep
		case s.version == version && s.counted < countedFirst:
			return &siteDays{version: version, counted: s.counted + 1}, bounded.Keep
		}
		return s, bounded.Leave
	})
}

// set remembers the days just read.
func (m *dayMemory) set(site int64, fresh *siteDays) {
	m.sites.Change(site, func(s *siteDays, _ bool) (*siteDays, bounded.Outcome) {
		if s != nil && s.version > fresh.version {
			return s, bounded.Leave
		}
		return fresh, bounded.Keep
	})
}

// wanted reports whether so many lists were counted that reading the days pays off.
func (s *siteDays) wanted() bool { return !s.read && !s.large && s.counted >= countedFirst }

// queueDays reads the days of a site together with a list. The result is complete after the round trip.
func queueDays(b *pgx.Batch, site int64) *siteDays {
	fresh := &siteDays{version: tenancy.NoVersion, counted: countedFirst}
	b.Queue(readDays, site, mostDays+1).Query(func(rows pgx.Rows) error {
		var start, end, occurrences *int32
		_, err := pgx.ForEachRow(rows, []any{&fresh.version, &start, &end, &occurrences}, func() error {
			if start != nil {
				fresh.days = append(fresh.days, dayCount{*start, *end, *occurrences})
			}
			return nil
		})
		if fresh.read = len(fresh.days) <= mostDays; !fresh.read {
			fresh.days, fresh.large = nil, true
		}
		return err
	})
	return fresh
}

// within returns how many occurrences lie within all edges. Every edge must fall on a day boundary.
func (s *siteDays) within(edges dayEdges) (n int) {
	type bound struct {
		end, upper bool
		day        int32
	}
	bounds := make([]bound, 0, len(edges))
	first := int32(-1 << 31)
	for _, e := range edges {
		day := int32((e.sure.day.Unix() - epochDay) / secondsOfDay)
		bounds = append(bounds, bound{e.end, e.upper, day})
		if !e.upper && !e.end {
			first = max(first, day)
		}
	}
	from, _ := slices.BinarySearchFunc(s.days, first, func(d dayCount, day int32) int { return cmp.Compare(d.start, day) })
days:
	for _, d := range s.days[from:] {
		for _, b := range bounds {
			day := d.start
			if b.end {
				day = d.end
			}
			if b.upper && day > b.day || !b.upper && day < b.day {
				continue days
			}
		}
		n += int(d.occurrences)
	}
	return n
}
