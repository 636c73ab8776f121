package storage

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
)

const newOrganizerRow = `
	INSERT INTO organizers (
		site_id,
		id,
		version,
		author,
		status,
		slug,
		published_at,
		dated,
		modified_at,
		image_id,
		name,
		name_key,
		description,
		excerpt,
		phone,
		website,
		email,
		search
	) VALUES (
		@site,
		@id,
		@version,
		@author,
		@status,
		@slug,
		@published_at,
		@dated,
		@modified_at,
		@image_id,
		@name,
		@name_key,
		@description,
		@excerpt,
		@phone,
		@website,
		@email,
		@search
	)`

// insertOrganizer stores a new organizer; it fills in id, version and a unique
// slug.
func (t *tx) insertOrganizer(ctx context.Context, o *calendar.Organizer) error {
	image, err := t.enter(ctx, "organizer", &o.Post)
	if err != nil {
		return err
	}
	_, err = t.conn.Exec(ctx, newOrganizerRow, organizerArgs(t.site, o, image))
	return err
}

// updateOrganizer stores a change of an organizer that stood as was.
func (t *tx) updateOrganizer(ctx context.Context, was, o *calendar.Organizer) error {
	const update = `
		UPDATE organizers
		SET version = @version,
		    author = @author,
		    status = @status,
		    slug = @slug,
		    published_at = @published_at,
		    dated = @dated,
		    modified_at = @modified_at,
		    image_id = @image_id,
		    name = @name,
		    name_key = @name_key,
		    description = @description,
		    excerpt = @excerpt,
		    phone = @phone,
		    website = @website,
		    email = @email,
		    search = @search
		WHERE site_id = @site
		  AND id = @id`
	image, err := t.alter(ctx, "organizer", &was.Post, &o.Post)
	if err != nil {
		return err
	}
	t.queue(update, organizerArgs(t.site, o, image))
	t.logFrom("organizer", o.ID, placeAction(&was.Post, &o.Post), organizerDocument(was).unlike(organizerDocument(o)))
	return nil
}

// organizerArgs names an organizer's columns.
func organizerArgs(site int64, o *calendar.Organizer, image *int64) pgx.NamedArgs {
	a := postArgs(site, &o.Post, image)
	a["name"] = o.Name
	a["name_key"] = strings.ToLower(o.Name)
	a["description"] = o.Description
	a["excerpt"] = o.Excerpt
	a["phone"] = o.Phone
	a["website"] = o.Website
	a["email"] = o.Email
	a["search"] = lines(o.Name, calendar.PlainText(o.Description), calendar.PlainText(o.Excerpt), o.Phone, o.Website, o.Email)
	return a
}
