package moving

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar/reading"
)

// unlisted copies the events that the list hides although everyone may read them. WordPress' own interface lists
// their ids, if the site offers it; each event is then read by its id.
func (c *copying) unlisted(ctx context.Context) error {
	root := strings.Replace(c.root, "/tribe/events/v1", "/wp/v2", 1)
	for n, last := 1, 1; n <= last; n++ {
		address := root + "/tribe_events?per_page=100&_fields=id&page=" + strconv.Itoa(n)
		if strings.Contains(root, "?") {
			address = strings.Replace(address, "/tribe_events?", "/tribe_events&", 1)
		}
		status, header, body, err := c.Door.Ask(ctx, address, c.User, c.Password)
		var list []struct {
			ID int64 `json:"id"`
		}
		if err != nil || status != http.StatusOK || json.Unmarshal(body, &list) != nil {
			return ctx.Err()
		}
		if last, _ = strconv.Atoi(header.Get("X-Wp-Totalpages")); last > mostPages {
			return reading.ErrMany
		}
		for _, one := range list {
			if one.ID <= 0 || one.ID >= reading.MostID || c.events[one.ID] {
				continue
			}
			if err := c.single(ctx, one.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// single copies one event by its id.
func (c *copying) single(ctx context.Context, id int64) error {
	status, _, body, err := c.Door.Ask(ctx, at(c.root, "events/"+strconv.FormatInt(id, 10), nil, 1, 1), c.User, c.Password)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil && status == http.StatusOK && json.Valid(body):
		err := c.event(body)
		if errors.Is(err, reading.ErrLarge) || errors.Is(err, reading.ErrMany) {
			return err
		}
	default:
		c.site.Missed = append(c.site.Missed, reading.Missed{List: "events", ID: id})
	}
	return nil
}
