package layout

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

// Area is a part of a map.
type Area struct{ calendar.Circle }

// readArea reads the area from the address. A position without a radius is not an area: it only sorts by distance.
func (c *Choice) readArea(site *tenancy.Site) error {
	if !c.Values.Has("geoloc_radius") || !site.Plan.Geo {
		for _, name := range areaNames {
			c.Values.Del(name)
		}
		return nil
	}
	at := ReadPoint(c.Values.Get)
	km, err := strconv.ParseFloat(c.Values.Get("geoloc_radius"), 64)
	if at == nil || err != nil || !(km > 0 && km <= farthest) {
		return calendar.ErrNotFound
	}
	c.Area = &Area{calendar.Circle{Lat: at.Lat, Lng: at.Lng, Km: km}}
	c.GeolocLat, c.GeolocLng, c.GeolocRadius = args.Some(at.Lat), args.Some(at.Lng), args.Some(km)
	return nil
}

// everywhere returns the query without the area.
func (c *Choice) everywhere() string {
	rest := Choice{Values: url.Values{}}
	for name, list := range c.Values {
		if !slices.Contains(areaNames, name) {
			rest.Values[name] = list
		}
	}
	return rest.Query(1)
}

// String returns the area as the script of the map reads it.
func (r *Area) String() string {
	number := func(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
	return number(r.Lat) + "," + number(r.Lng) + "," + number(r.Km)
}

// Point is a position on earth.
type Point struct{ Lat, Lng float64 }

// ReadPoint parses a position, or returns nil.
func ReadPoint(value func(name string) string) *Point {
	lat, err := strconv.ParseFloat(value("geoloc_lat"), 64)
	lng, err2 := strconv.ParseFloat(value("geoloc_lng"), 64)
	if err != nil || err2 != nil || !(math.Abs(lat) <= 90) || !(math.Abs(lng) <= 180) {
		return nil
	}
	return &Point{lat, lng}
}

// Away returns the distance of a venue from the point in kilometers.
func (p *Point) Away(v *calendar.Venue) float64 {
	return calendar.Circle{Lat: p.Lat, Lng: p.Lng}.Away(v)
}
