package public

import (
	"math"
	"net/url"
	"slices"
	"strconv"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// areaNames are the parameters of an area of the map, named as in the API: the middle and the distance to the corners.
var areaNames = []string{"geoloc_lat", "geoloc_lng", "geoloc_radius"}

// farthest is the longest distance on earth in kilometers.
const farthest = 20038

// area is a part of a map.
type area struct{ calendar.Circle }

// readArea reads the area from the address. A position without a radius is not an area: it only sorts by distance.
func (c *choice) readArea(site *tenancy.Site) error {
	if !c.values.Has("geoloc_radius") || !site.Plan.Geo {
		for _, name := range areaNames {
			c.values.Del(name)
		}
		return nil
	}
	at := readPoint(c.values.Get)
	km, err := strconv.ParseFloat(c.values.Get("geoloc_radius"), 64)
	if at == nil || err != nil || !(km > 0 && km <= farthest) {
		return calendar.ErrNotFound
	}
	c.area = &area{calendar.Circle{Lat: at.lat, Lng: at.lng, Km: km}}
	c.GeolocLat, c.GeolocLng, c.GeolocRadius = args.Some(at.lat), args.Some(at.lng), args.Some(km)
	return nil
}

// everywhere returns the query without the area.
func (c *choice) everywhere() string {
	rest := choice{values: url.Values{}}
	for name, list := range c.values {
		if !slices.Contains(areaNames, name) {
			rest.values[name] = list
		}
	}
	return rest.query(1)
}

// String returns the area as the script of the map reads it.
func (r *area) String() string {
	number := func(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
	return number(r.Lat) + "," + number(r.Lng) + "," + number(r.Km)
}

// point is a position on earth.
type point struct{ lat, lng float64 }

// readPoint parses a position, or returns nil.
func readPoint(value func(name string) string) *point {
	lat, err := strconv.ParseFloat(value("geoloc_lat"), 64)
	lng, err2 := strconv.ParseFloat(value("geoloc_lng"), 64)
	if err != nil || err2 != nil || !(math.Abs(lat) <= 90) || !(math.Abs(lng) <= 180) {
		return nil
	}
	return &point{lat, lng}
}
