package storage

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
)

// insertVenue stores a new venue; it fills in id, version and a unique slug.
func (t *tx) insertVenue(ctx context.Context, v *calendar.Venue) error {
	const insert = `
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
	image, err := t.enter(ctx, "venue", &v.Post)
	if err != nil {
		return err
	}
	_, err = t.conn.Exec(ctx, insert, venueArgs(t.site, v, image))
	return err
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
	a["search"] = lines(v.Name, v.Description, v.Excerpt, v.Address, v.City, v.Country, v.Province, v.State,
		v.StateProvince, v.Zip, v.Phone, v.Website)
	return a
}
