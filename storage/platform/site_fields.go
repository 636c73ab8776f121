package platform

import (
	"context"
	"reflect"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

const (
	writeFields = `
		UPDATE sites
		SET fields = $2
		WHERE id = $1`
	emptyEventField = `
		UPDATE events
		SET fields = NULLIF(fields - $2::text, '{}')
		WHERE site_id = $1
		  AND fields ? $2::text`
	emptyVenueField = `
		UPDATE venues
		SET fields = NULLIF(fields - $2::text, '{}')
		WHERE site_id = $1
		  AND fields ? $2::text`
	fieldUse = `
		SELECT (SELECT count(*) FROM events e WHERE e.site_id = $1 AND e.fields ? $2::text),
		       (SELECT count(*) FROM venues v WHERE v.site_id = $1 AND v.fields ? $2::text)`
)

// ConfigureFields changes the extra fields of a site. Changed fields get the version of the write. If goes is set,
// it is the key of a removed field, whose values are deleted from events and venues.
func (s sites) ConfigureFields(ctx context.Context, slug, goes string, change func(*tenancy.Site) error) (*tenancy.Site, error) {
	var after *tenancy.Site
	err := s.change(ctx, slug, func(_ context.Context, t *pg.Tx, site *tenancy.Site) error {
		before, was := SiteDocument(site), map[string]tenancy.Field{}
		for _, f := range site.Fields {
			was[f.Key] = f
		}
		if err := change(site); err != nil {
			return err
		}
		after = site
		for i := range site.Fields {
			if f := &site.Fields[i]; !reflect.DeepEqual(*f, was[f.Key]) {
				f.Version = t.Version
			}
		}
		replaced := before.Unlike(SiteDocument(site))
		if len(replaced) == 0 {
			return nil
		}
		t.Queue(writeFields, t.Site, append([]tenancy.Field{}, site.Fields...))
		if goes != "" {
			t.Linked = true // remembered venues may have a value in the field
			t.Queue(emptyEventField, t.Site, goes)
			t.Queue(emptyVenueField, t.Site, goes)
		}
		t.Log("site", t.Site, "update", replaced)
		site.Version = t.Version
		return nil
	})
	return after, err
}

// FieldUse counts the events and venues with a value in a field.
func (s sites) FieldUse(ctx context.Context, site int64, key string) (use platform.FieldUse, err error) {
	err = s.db.In(ctx, "what a site's administrator is shown before a field goes", site, func(site int64, b *pgx.Batch) {
		b.Queue(fieldUse, site, key).QueryRow(pg.One(&use.Events, &use.Venues))
	})
	return use, err
}
