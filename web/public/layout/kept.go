package layout

import (
	"net/url"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
)

// ReadKept reads the kept events from the address.
func ReadKept(a Asked) (services.Keeping, error) {
	query, err := url.ParseQuery(a.All)
	if err != nil {
		return services.Keeping{}, calendar.ErrNotFound
	}
	return services.ReadKeeping(query["ids"])
}
