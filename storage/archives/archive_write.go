package archives

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/archive"
)

// WriteSite implements archive.Store.
func (in store) WriteSite(ctx context.Context, made *tenancy.Site, columns []string, row []byte,
	fill func(context.Context, archive.Sink) error,
) error {
	const get = `SELECT` + platform.SiteColumns + platform.WithPlans + `
		WHERE s.id = $1`
	id, err := platform.NewSite(ctx, in.db)
	if err != nil {
		return in.archiveFailure(err)
	}
	err = in.adopt(ctx, id, archived, func(ctx context.Context, s *sink) (err error) {
		s.site = id
		if err = pg.EnterIn(ctx, s.tx, id); err != nil {
			return err
		}
		if err = s.insertSite(ctx, made, columns, row); err != nil {
			return err
		}
		within, err := tenancy.Enter(ctx, &tenancy.Site{ID: s.site, Slug: made.Slug})
		if err != nil {
			return err
		}
		if err = s.tx.During(ctx, pg.Stirring, func() error { return fill(within, s) }); err != nil {
			return err
		}
		if err = s.settle(ctx); err != nil {
			return err
		}
		if err = in.readable(ctx, s.tx, s.site); err != nil {
			return fmt.Errorf("%w: %w", archive.ErrDamaged, err)
		}
		whole, err := platform.ScanSite(s.tx.QueryRow(ctx, get, s.site))
		if err != nil {
			return err
		}
		slices.Sort(whole.Domains)
		if !slices.Equal(whole.Domains, made.Domains) {
			return fmt.Errorf("%w: it has the domains %q, its manifest %q", archive.ErrDamaged, whole.Domains, made.Domains)
		}
		*made = *whole
		if err := endMade(ctx, s.tx, made.ID, in.db.Second()); err != nil {
			return err
		}
		return platform.Note(ctx, in.db, s.tx, platform.Change{Kind: "site", Action: "import", ID: made.ID, Name: made.Slug,
			After: platform.SiteDocument(made)})
	})
	if err == nil {
		in.onVersion(made.ID, made.Version, false)
	}
	return err
}

// settle corrects the values of the site's row that depend on other rows: it raises the id counters to the highest
// ids, and counts usage and numbers of events again. It returns ErrDamaged for ids or versions that no site
// reaches, because such a site would refuse every write.
func (s *sink) settle(ctx context.Context) error {
	raise := `
		UPDATE sites
		SET changed_at = statement_timestamp(),
		    last_post_id = GREATEST(last_post_id,
		        (SELECT max(id) FROM events WHERE site_id = $1),
		        (SELECT max(id) FROM occurrences WHERE site_id = $1),
		        (SELECT max(id) FROM removed_occurrences WHERE site_id = $1),
		        (SELECT max(id) FROM venues WHERE site_id = $1),
		        (SELECT max(id) FROM organizers WHERE site_id = $1),
		        (SELECT max(id) FROM images WHERE site_id = $1)),
		    last_term_id = GREATEST(last_term_id, (SELECT max(id) FROM terms WHERE site_id = $1)),
		    last_user_id = GREATEST(last_user_id, (SELECT max(id) FROM users WHERE site_id = $1)),
		    texts_indexed = last_post_id > ` + strconv.Itoa(pg.MostScanned) + `
		WHERE id = $1
		RETURNING GREATEST(version, last_post_id, last_term_id, last_user_id) < 1::bigint << 53
		      AND version >= COALESCE((SELECT max(version) FROM changes WHERE site_id = $1), 0)`
	for _, count := range []string{platform.CountUse, recountTerms} {
		if _, err := s.tx.Exec(ctx, count, s.site); err != nil {
			return err
		}
	}
	var sound bool
	if err := s.tx.QueryRow(ctx, raise, s.site).Scan(&sound); err != nil {
		return err
	}
	if !sound {
		return fmt.Errorf("%w: the site's version or counters are invalid", archive.ErrDamaged)
	}
	return nil
}

// NoteExport implements archive.Store.
func (in store) NoteExport(ctx context.Context, version int64) error {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return err
	}
	all := in.db.Across("the history of the provider belongs to the platform")
	return in.db.Failure(platform.Note(ctx, in.db, all, platform.Change{Kind: "site", Action: "export", ID: scope.Site.ID,
		Name:  scope.Site.Slug,
		After: pg.Document{"version": version}}))
}

// WriteInstallation implements archive.Store. Existing rows stay.
func (in store) WriteInstallation(ctx context.Context, fill func(context.Context, archive.Sink) error) error {
	return in.adopt(ctx, 0, installed, func(ctx context.Context, s *sink) error {
		return s.tx.During(ctx, pg.Stirring, func() error { return fill(ctx, s) })
	})
}

func (in store) adopt(ctx context.Context, site int64, tables []string, do func(context.Context, *sink) error) error {
	return in.archiveFailure(pgx.BeginFunc(ctx, in.db.At("an import makes its site", site), func(tx pgx.Tx) error {
		if err := pg.Unhurried(ctx, tx); err != nil {
			return err
		}
		list, err := readShapes(ctx, tx, tables)
		if err != nil {
			return err
		}
		return do(ctx, &sink{tx: &pg.Awake{Tx: tx}, shapes: list})
	}))
}

// sink implements archive.Sink within one transaction.
type sink struct {
	tx     *pg.Awake
	site   int64
	shapes []shape
}

// insertSite creates the site from its row, with its new slug and name. It gets the plan that the archive names if
// this installation has it. A deleted site is created as a closed site; otherwise it would be purged again if its
// purge date has passed.
func (s *sink) insertSite(ctx context.Context, made *tenancy.Site, columns []string, row []byte) error {
	const insert = `
		INSERT INTO sites (id, %s, plan)
		OVERRIDING SYSTEM VALUE
		SELECT $6::bigint, %s, COALESCE((SELECT p.name FROM plans p WHERE p.name = $4), $5)
		FROM jsonb_populate_record(NULL::sites, $1::jsonb || jsonb_build_object('slug', $2::text, 'name', $3::text)
			|| CASE WHEN $1::jsonb ->> 'deleted_at' IS NULL THEN '{}'
			   ELSE '{"state": "closed", "deleted_at": null, "purge_at": null, "deleted_state": null}'::jsonb END) r`
	if _, err := s.shape(archive.Table{Name: "sites", Columns: columns}); err != nil {
		return err
	}
	sql := fmt.Sprintf(insert, names("", columns), names("r.", columns))
	if err := s.tx.Execute(ctx, sql, row, made.Slug, made.Name, made.Plan.Name, tenancy.DefaultPlan, s.site); err != nil {
		return err
	}
	return s.tx.Execute(ctx, platform.NameSite, s.site, made.Slug)
}

// shape returns the shape of a table. It returns ErrTooNew if the database does not have the table or one of its columns.
func (s *sink) shape(t archive.Table) (*shape, error) {
	for i := range s.shapes {
		known := &s.shapes[i]
		if known.Name != t.Name {
			continue
		}
		for _, column := range t.Columns {
			if !slices.Contains(known.Columns, column) {
				return nil, fmt.Errorf("%w: this one has no column %s.%s", archive.ErrTooNew, t.Name, column)
			}
		}
		return known, nil
	}
	return nil, fmt.Errorf("%w: this one has no table %s", archive.ErrTooNew, t.Name)
}

// Rows implements archive.Sink. References between rows of the same table are set after all rows are stored.
func (s *sink) Rows(ctx context.Context, t archive.Table, lines archive.Lines) error {
	known, err := s.shape(t)
	if err != nil {
		return err
	}
	lines = cleaned(t.Name, lines)
	later := slices.DeleteFunc(slices.Clone(known.self), func(c string) bool { return !slices.Contains(t.Columns, c) })
	now := slices.DeleteFunc(slices.Clone(t.Columns), func(c string) bool { return slices.Contains(later, c) })
	if err := s.batches(ctx, known.insert(now), known, lines); err != nil || len(later) == 0 {
		return err
	}
	refers := func(yield func([]byte) error) error {
		return lines(func(line []byte) error {
			if !refersTo(line, later) {
				return nil
			}
			return yield(line)
		})
	}
	return s.batches(ctx, known.refer(later), known, refers)
}

// refersTo reports whether a row may have a value in one of the columns, which then is not null. The quotes that it
// looks for cannot occur in a text, where they are escaped.
func refersTo(line []byte, columns []string) bool {
	return slices.ContainsFunc(columns, func(c string) bool { return !bytes.Contains(line, []byte(`"`+c+`":null`)) })
}

// The limits of one statement.
const (
	batchRows  = 1000
	batchBytes = 1 << 20
)

// batches runs a statement with many rows at a time, as a JSON list. COPY does not work on tables with row-level
// security, and this is as fast. The connection may have planned its foreign-key checks when the tables were empty.
// With these plans each row would be compared with all rows before it, so they are discarded first.
func (s *sink) batches(ctx context.Context, sql string, known *shape, lines archive.Lines) error {
	if err := s.tx.Execute(ctx, "DISCARD PLANS"); err != nil {
		return err
	}
	var batch bytes.Buffer
	rows := 0
	flush := func() error {
		if rows == 0 {
			return nil
		}
		batch.WriteByte(']')
		arguments := []any{batch.String()}
		if known.owner != "" {
			arguments = append(arguments, s.site)
		}
		err := s.tx.Execute(ctx, sql, arguments...)
		batch.Reset()
		rows = 0
		return err
	}
	err := lines(func(line []byte) error {
		if rows == 0 {
			batch.WriteByte('[')
		} else {
			batch.WriteByte(',')
		}
		batch.Write(line)
		rows++
		if rows >= batchRows || batch.Len() >= batchBytes {
			return flush()
		}
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}

// insert returns the statement that stores rows. The rows always belong to the sink's site, whatever they say.
// History entries about the site itself get this site's id.
func (s *shape) insert(columns []string) string {
	into, from := names("", columns), names("r.", columns)
	if s.Name == "changes" {
		from = strings.Replace(from, `r."id"`, `CASE r.kind WHEN 'site' THEN $2 ELSE r.id END`, 1)
	}
	if s.owner != "" {
		into, from = "site_id, "+into, "$2::bigint, "+from
	}
	sql := `INSERT INTO ` + names("", []string{s.Name}) + ` (` + into + `) SELECT ` + from + s.source()
	if s.owner == "" {
		sql += ` ON CONFLICT DO NOTHING`
	}
	return sql
}

// refer returns the statement that sets columns of existing rows.
func (s *shape) refer(columns []string) string {
	set := make([]string, len(columns))
	for i, column := range columns {
		set[i] = names("", []string{column}) + ` = ` + names("r.", []string{column})
	}
	sql := `UPDATE ` + names("", []string{s.Name}) + ` t SET ` + strings.Join(set, ", ") + s.source() + ` WHERE t.site_id = $2`
	keys := make([]string, len(s.key))
	for i, column := range s.key {
		keys[i] = ` AND t.` + names("", []string{column}) + ` = ` + names("r.", []string{column})
	}
	return sql + strings.Join(keys, "")
}

func (s *shape) source() string {
	return ` FROM json_populate_recordset(NULL::` + names("", []string{s.Name}) + `, $1::json) r`
}

// recountTerms counts the events of all terms of a site again.
var recountTerms = pg.RecountTerms("true")
