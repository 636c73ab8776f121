package platform

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

const whyTraffic = "the traffic of sites belongs to the platform"

// How long hours and days are kept. Lists need 24 hours and 30 days, and who bills by the quarter needs the last one after its end.
const (
	hoursKept = 48 * time.Hour
	daysKept  = 100 * 24 * time.Hour
)

// AddTraffic adds the traffic that a node has counted, by site slug, to the current hour and day. It skips sites
// that no longer exist. It locks rows in a fixed order, which prevents deadlocks between nodes.
func AddTraffic(ctx context.Context, db *pg.DB, by map[string]platform.Traffic) error {
	const add = `
		INSERT INTO provider_traffic AS t (site, span, begins, requests, refused_limit, refused_plan, refused_busy, errors)
		SELECT s.id, p.span, date_trunc(p.span, clock_timestamp(), 'UTC'), c.requests, c.limited, c.by_plan, c.busy, c.errors
		FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
		     c (slug, requests, limited, by_plan, busy, errors)
		JOIN sites s ON s.slug = c.slug
		CROSS JOIN unnest(ARRAY['hour', 'day']) p (span)
		ORDER BY s.id, p.span
		ON CONFLICT ON CONSTRAINT provider_traffic_pkey DO UPDATE
		SET requests = t.requests + excluded.requests,
		    refused_limit = t.refused_limit + excluded.refused_limit,
		    refused_plan = t.refused_plan + excluded.refused_plan,
		    refused_busy = t.refused_busy + excluded.refused_busy,
		    errors = t.errors + excluded.errors`
	if len(by) == 0 {
		return nil
	}
	var slugs []string
	var requests, limited, full, busy, failed []int64
	for slug, t := range by {
		slugs, requests, limited = append(slugs, slug), append(requests, t.Requests), append(limited, t.Limited)
		full, busy, failed = append(full, t.Full), append(busy, t.Busy), append(failed, t.Errors)
	}
	_, err := db.Across(whyTraffic).Exec(ctx, add, slugs, requests, limited, full, busy, failed)
	return db.Failure(err)
}

// PurgeTraffic deletes traffic that is too old, and the traffic of sites that no longer exist.
func PurgeTraffic(ctx context.Context, db *pg.DB) error {
	const purge = `
		DELETE FROM provider_traffic t
		WHERE t.span = 'hour' AND t.begins < now() - $1::interval
		   OR t.span = 'day' AND t.begins < now() - $2::interval
		   OR t.site NOT IN (SELECT s.id FROM sites s)`
	_, err := db.Across(whyTraffic).Exec(ctx, purge, hoursKept, daysKept)
	return db.Failure(err)
}

// trafficOrders are the sort expressions of lists of traffic, by platform.TrafficSorts.
var trafficOrders = map[string]string{
	"name":     natural("lower(s.name)") + ", s.slug",
	"requests": "COALESCE(t.requests, 0) DESC, " + natural("s.slug"),
	"limited":  "COALESCE(t.limited, 0) DESC, " + natural("s.slug"),
	"full":     "COALESCE(t.by_plan, 0) DESC, " + natural("s.slug"),
	"busy":     "COALESCE(t.busy, 0) DESC, " + natural("s.slug"),
	"errors":   "COALESCE(t.errors, 0) DESC, " + natural("s.slug"),
}

// Traffic returns one page of the sites with their traffic in the last 24 hours or 30 days.
func (s sites) Traffic(ctx context.Context, q tenancy.Query, month bool) (tenancy.Page[platform.SiteTraffic], error) {
	const count = `SELECT count(*) FROM sites s` + sitesFound
	const list = `
		SELECT s.slug,
		       s.name,
		       COALESCE(t.requests, 0),
		       COALESCE(t.limited, 0),
		       COALESCE(t.by_plan, 0),
		       COALESCE(t.busy, 0),
		       COALESCE(t.errors, 0)
		FROM sites s
		LEFT JOIN (
			SELECT c.site,
			       sum(c.requests)::bigint AS requests,
			       sum(c.refused_limit)::bigint AS limited,
			       sum(c.refused_plan)::bigint AS by_plan,
			       sum(c.refused_busy)::bigint AS busy,
			       sum(c.errors)::bigint AS errors
			FROM provider_traffic c
			WHERE c.span = @span
			  AND c.begins > clock_timestamp() - @within::interval
			GROUP BY c.site
		) t ON t.site = s.id` + sitesFound + `
		ORDER BY `
	arguments := pg.PageArgs(q)
	arguments["span"], arguments["within"] = "hour", 24*time.Hour
	if month {
		arguments["span"], arguments["within"] = "day", 30*24*time.Hour
	}
	var page tenancy.Page[platform.SiteTraffic]
	b := &pgx.Batch{}
	b.Queue(count, pg.PageArgs(q)).QueryRow(pg.One(&page.Total))
	b.Queue(list+trafficOrders[q.Sort]+` LIMIT @limit OFFSET @offset`, arguments).
		Query(pg.All(&page.Items, func(row pgx.CollectableRow) (*platform.SiteTraffic, error) {
			t := &platform.SiteTraffic{}
			return t, row.Scan(&t.Slug, &t.Name, &t.Requests, &t.Limited, &t.Full, &t.Busy, &t.Errors)
		}))
	return page, s.db.Failure(s.db.Across(whyTraffic).Send(ctx, b))
}

// Spans returns one page of the traffic of sites by hours or days, the first ones first, or the sum of each site.
func (s sites) Spans(ctx context.Context, q platform.TrafficQuery) (tenancy.Page[platform.SpanTraffic], error) {
	const found = `
		FROM provider_traffic c
		JOIN sites s ON s.id = c.site
		WHERE c.span = @span
		  AND (@site::text = '' OR s.slug = @site)
		  AND (@from::timestamptz IS NULL OR c.begins >= @from)
		  AND (@before::timestamptz IS NULL OR c.begins < @before)`
	const list = `
		SELECT s.slug,
		       min(c.begins),
		       sum(c.requests)::bigint,
		       sum(c.refused_limit)::bigint,
		       sum(c.refused_plan)::bigint,
		       sum(c.refused_busy)::bigint,
		       sum(c.errors)::bigint` + found
	each, order, span := ` GROUP BY s.id, c.begins`, ` ORDER BY c.begins, s.slug`, q.Span
	if q.Span == platform.WholeSpan {
		each, order, span = ` GROUP BY s.id`, ` ORDER BY s.slug`, platform.DaySpan
	}
	arguments := pgx.NamedArgs{"span": span, "site": q.Site, "from": pg.Known(q.From), "before": pg.Known(q.Before),
		"limit": q.PerPage, "offset": (q.Page - 1) * q.PerPage}
	var page tenancy.Page[platform.SpanTraffic]
	b := &pgx.Batch{}
	b.Queue(`SELECT count(*) FROM (SELECT`+found+each+`) t`, arguments).QueryRow(pg.One(&page.Total))
	b.Queue(list+each+order+` LIMIT @limit OFFSET @offset`, arguments).
		Query(pg.All(&page.Items, func(row pgx.CollectableRow) (*platform.SpanTraffic, error) {
			t := &platform.SpanTraffic{}
			return t, row.Scan(&t.Slug, (*pg.UTC)(&t.Begins), &t.Requests, &t.Limited, &t.Full, &t.Busy, &t.Errors)
		}))
	return page, s.db.Failure(s.db.Across(whyTraffic).Send(ctx, b))
}
