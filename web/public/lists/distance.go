package lists

import (
	"context"
	"math"
	"net/url"
	"strconv"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/web/ui"
)

func located(v *calendar.Venue) bool { return v.GeoLat != nil && v.GeoLng != nil }

// distance returns the distance of a place as text, or "" if it is unknown.
func (o *place) distance(ctx context.Context) string {
	if o.km < 0 {
		return ""
	}
	return ui.SayWith(ctx, "map.away", "Distance", ui.DatesIn(ctx).Number(max(1, int(math.Round(o.km)))))
}

// way returns the address of directions to a venue, or "" if its position is unknown.
func way(v *calendar.Venue) string {
	if !located(v) {
		return ui.MapLink(v)
	}
	return "https://www.openstreetmap.org/directions?to=" + url.QueryEscape(coordinates(v))
}

func coordinates(v *calendar.Venue) string {
	return strconv.FormatFloat(*v.GeoLat, 'f', -1, 64) + "," + strconv.FormatFloat(*v.GeoLng, 'f', -1, 64)
}
