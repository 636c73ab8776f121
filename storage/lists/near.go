package lists

import (
	"fmt"
	"math"

	"github.com/kalends/kalends/calendar"
)

// located keeps events with a venue at the requested location. It considers only venues that the viewer may read.
func (b *eventQuery) located() {
	const at = `EXISTS (
		SELECT FROM event_venues x
		JOIN venues v ON v.site_id = x.site_id AND v.id = x.venue_id
		WHERE x.site_id = $1
		  AND x.event_id = o.event_id
		  AND v.geo_lat IS NOT NULL
		  AND %s)`
	if b.Located != nil {
		has := fmt.Sprintf(at, b.readable("v"))
		if !*b.Located {
			has = "NOT " + has
		}
		b.and(has)
	}
	if b.Near != nil {
		b.choose(b.near(*b.Near))
	}
}

const kmPerDegree = calendar.EarthRadius * math.Pi / 180

// near is the condition that a venue lies in the circle. It first checks the box around the circle, by index, and
// then the distance by the haversine formula.
func (b *eventQuery) near(c calendar.Circle) string {
	const within = `o.event_id IN (
		SELECT x.event_id
		FROM venues v
		JOIN event_venues x ON x.site_id = v.site_id AND x.venue_id = v.id
		WHERE v.site_id = $1
		  AND x.site_id = $1
		  AND v.geo_lat BETWEEN %[1]s AND %[2]s
		  AND (v.geo_lng BETWEEN %[3]s AND %[4]s OR v.geo_lng >= %[5]s OR v.geo_lng <= %[6]s)
		  AND %[7]s
		  AND 2 * %[8]s * asin(sqrt(least(1,
		        sin(radians(v.geo_lat - %[9]s) / 2) ^ 2
		        + cos(radians(%[9]s)) * cos(radians(v.geo_lat)) * sin(radians(v.geo_lng - %[10]s) / 2) ^ 2
		      ))) <= %[11]s)`
	box := boxAround(c)
	float := func(n float64) string { return b.arg(n) + "::float8" }
	return fmt.Sprintf(within, float(box.south), float(box.north), float(box.west), float(box.east),
		float(box.beyondEast), float(box.beyondWest), b.readable("v"),
		float(calendar.EarthRadius), float(c.Lat), float(c.Lng), float(c.Km))
}

// box encloses a circle. If it crosses the 180th meridian, the rest lies east of beyondEast or west of beyondWest.
type box struct{ south, north, west, east, beyondEast, beyondWest float64 }

func boxAround(c calendar.Circle) box {
	const slack = 1e-6 // for rounding errors at the edge of the circle
	high := c.Km/kmPerDegree + slack
	b := box{south: c.Lat - high, north: c.Lat + high, west: -180, east: 180, beyondEast: 999, beyondWest: -999}
	if b.south <= -90 || b.north >= 90 {
		return b // all meridians meet at a pole
	}
	wide := math.Asin(min(1, math.Sin(min(c.Km/calendar.EarthRadius, math.Pi/2))/math.Cos(c.Lat*math.Pi/180)))*180/math.Pi + slack
	b.west, b.east = c.Lng-wide, c.Lng+wide
	if b.west < -180 {
		b.beyondEast = b.west + 360
	}
	if b.east > 180 {
		b.beyondWest = b.east - 360
	}
	return b
}
