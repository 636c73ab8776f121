package kit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// Marker occurs in every text of the second site.
const Marker = "Zwilling"

// Callers returns all kinds of callers on a site.
func Callers() []string {
	list := []string{""}
	for _, role := range slices.Backward(tenancy.Roles()) {
		list = append(list, string(role))
	}
	return append(list, "reader")
}

// As returns the credentials of a caller on a site. "reader" is a read-only API key of an administrator.
func (k *Kit) As(site, caller string) string {
	k.T.Helper()
	if caller != "reader" {
		return caller
	}
	name := site + "/bearer"
	if k.Secrets[name] == "" {
		ctx, err := tenancy.Enter(tenancy.AsProvider(context.Background(), tenancy.Provider{Name: "test"}), k.Sites[site])
		k.Must(err)
		users, err := k.Platform.Users.List(ctx, &accounts.UserFilter{})
		k.Must(err)
		for _, user := range users.Items {
			if user.Role == tenancy.Administrator {
				_, k.Secrets[name], err = k.Platform.Keys.Create(ctx, user.ID, &accounts.KeyFields{
					Name: args.Some("reader"), Kind: args.Some("api_key"), ReadOnly: args.Some(true)})
				k.Must(err)
			}
		}
	}
	return "Bearer " + k.Secrets[name]
}

// SecondSite creates the second site with one item of each resource. Its ids begin where those of the first never get.
func (k *Kit) SecondSite() *Sample {
	k.T.Helper()
	k.Site("two")
	k.Exec("UPDATE sites SET last_post_id = 90000, last_term_id = 90000, last_user_id = 90000 WHERE slug = 'two'")
	s := &Sample{IDs: map[string]int64{}, Slugs: map[string]string{}}
	create := func(resource, path string, body map[string]any) {
		a := k.Send(Request{Method: "POST", Path: path, Site: "two", As: "administrator", JSON: body}).Want(k.T, 201, "")
		s.IDs[resource] = a.ID()
		s.Slugs[resource], _ = a.Body["slug"].(string)
	}
	create("venue", "/venues", map[string]any{"venue": Marker + " Ort"})
	create("organizer", "/organizers", map[string]any{"organizer": Marker + " Verein"})
	create("category", "/categories", map[string]any{"name": Marker + " Art"})
	create("tag", "/tags", map[string]any{"name": Marker + " Wort"})
	create("event", "/events", map[string]any{"title": Marker + " Fest", "start_date": "tomorrow 10:00", "end_date": "tomorrow 11:00",
		"venue": s.IDs["venue"], "organizer": s.IDs["organizer"], "categories": []int64{s.IDs["category"]}, "tags": []int64{s.IDs["tag"]}})
	a := k.Upload("two", "administrator", Marker+".png", Picture(20, 20)).Want(k.T, 201, "")
	s.IDs["image"] = a.ID()
	s.Slugs["image"], _ = a.Body["url"].(string)
	return s
}

// SiteTables returns the tables with rows of sites according to the database, except one that only has rows together
// with events.
func (k *Kit) SiteTables() []string {
	k.T.Helper()
	rows, err := k.Owner().Query(context.Background(), `
		SELECT c.relname::text
		FROM pg_class c
		JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'site_id'
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> 'event_texts'
		ORDER BY c.relname`)
	k.Must(err)
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	k.Must(err)
	return names
}

// Table formats rows as columns.
func Table(rows [][]string) string {
	var b strings.Builder
	for _, row := range rows {
		for i, cell := range row {
			width := 8
			if i == 1 {
				width = 30
			}
			if cell == "" {
				cell = "nobody"
			}
			fmt.Fprintf(&b, "%-*.*s ", width, width, cell)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
