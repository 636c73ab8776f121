package storage

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
)

const newVenueRow = `
	INSERT INTO venues (
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
		address,
		city,
		country,
		province,
		state,
		stateprovince,
		zip,
		phone,
		website,
		geo_lat,
		geo_lng,
		show_map,
		show_map_link,
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
		@address,
		@city,
		@country,
		@province,
		@state,
		@stateprovince,
		@zip,
		@phone,
		@website,
		@geo_lat,
		@geo_lng,
		@show_map,
		@show_map_link,
		@search
	)`

// insertVenue stores a new venue; it fills in id, version and a unique slug.
func (t *tx) insertVenue(ctx context.Context, v *calendar.Venue) error {
	image, err := t.enter(ctx, "venue", &v.Post)
	if err != nil {
		return err
	}
	_, err = t.conn.Exec(ctx, newVenueRow, venueArgs(t.site, v, image))
	return err
}

// updateVenue stores a change of a venue that stood as was.
func (t *tx) updateVenue(ctx context.Context, was, v *calendar.Venue) error {
	const update = `
		UPDATE venues
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
		    address = @address,
		    city = @city,
		    country = @country,
		    province = @province,
		    state = @state,
		    stateprovince = @stateprovince,
		    zip = @zip,
		    phone = @phone,
		    website = @website,
		    geo_lat = @geo_lat,
		    geo_lng = @geo_lng,
		    show_map = @show_map,
		    show_map_link = @show_map_link,
		    search = @search
		WHERE site_id = @site
		  AND id = @id`
	image, err := t.alter(ctx, "venue", &was.Post, &v.Post)
	if err != nil {
		return err
	}
	t.queue(update, venueArgs(t.site, v, image))
	t.logFrom("venue", v.ID, placeAction(&was.Post, &v.Post), venueDocument(was).unlike(venueDocument(v)))
	return nil
}

// venueArgs names a venue's columns.
func venueArgs(site int64, v *calendar.Venue, image *int64) pgx.NamedArgs {
	a := postArgs(site, &v.Post, image)
	a["name"] = v.Name
	a["name_key"] = strings.ToLower(v.Name)
	a["description"] = v.Description
	a["excerpt"] = v.Excerpt
	a["address"] = v.Address
	a["city"] = v.City
	a["country"] = v.Country
	a["province"] = v.Province
	a["state"] = v.State
	a["stateprovince"] = v.StateProvince
	a["zip"] = v.Zip
	a["phone"] = v.Phone
	a["website"] = v.Website
	a["geo_lat"] = v.GeoLat
	a["geo_lng"] = v.GeoLng
	a["show_map"] = v.ShowMap
	a["show_map_link"] = v.ShowMapLink
	a["search"] = lines(v.Name, calendar.PlainText(v.Description), calendar.PlainText(v.Excerpt), v.Address, v.City,
		v.Country, v.Province, v.State, v.StateProvince, v.Zip, v.Phone, v.Website)
	return a
}
