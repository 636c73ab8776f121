package main

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
)

// newEvent is the part of a new event that the plain program supports.
type newEvent struct {
	Title       string  `json:"title"`
	Description string  `json:"description"`
	Start       string  `json:"start_date"`
	End         string  `json:"end_date"`
	Cost        string  `json:"cost"`
	Website     string  `json:"website"`
	Venue       int64   `json:"venue"`
	Organizers  []int64 `json:"organizer"`
	Categories  []int64 `json:"categories"`
	Tags        []int64 `json:"tags"`
}

// plainCreate inserts an event and its links in one statement.
const plainCreate = `
	WITH made AS (
		INSERT INTO plain.events (site_id, id, author, status, published_at, modified_at, slug, title, description, excerpt, timezone, all_day,
			start_local, end_local, start_utc, end_utc, cost, website, show_map, show_map_link, hidden, sticky, featured, venue_id, search,
			organizer_ids, term_ids)
		VALUES ($1, nextval('plain.event_ids'), 1, 'publish', $2, $2, $3, $4, $5, '', $6, false,
			$7, $8, $9, $10, ARRAY[$11], $12, true, true, false, false, false, $13, $14, $15, $16)
		RETURNING id
	), organizers AS (
		INSERT INTO plain.event_organizers (site_id, event_id, organizer_id, position)
		SELECT $1, made.id, o.id, o.position FROM made, unnest($15::bigint[]) WITH ORDINALITY o (id, position)
	), terms AS (
		INSERT INTO plain.event_terms (site_id, event_id, term_id)
		SELECT $1, made.id, t.id FROM made, unnest($16::bigint[]) t (id)
	)
	SELECT id FROM made`

// create creates an event and returns it. It has no validation, no permissions and no history.
func (p *plain) create(c *fiber.Ctx) error {
	site, known := p.sites[c.Hostname()]
	if !known {
		return fiber.ErrNotFound
	}
	var e newEvent
	if err := json.Unmarshal(c.Body(), &e); err != nil {
		return fiber.ErrBadRequest
	}
	start, err := time.ParseInLocation(stamp, e.Start, p.place)
	if err != nil {
		return fiber.ErrBadRequest
	}
	end, err := time.ParseInLocation(stamp, e.End, p.place)
	if err != nil {
		return fiber.ErrBadRequest
	}
	wall := func(t time.Time) time.Time {
		return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), 0, 0, time.UTC)
	}
	now := time.Now().UTC().Truncate(time.Second)
	var id int64
	err = p.pool.QueryRow(c.UserContext(), plainCreate, site, now, address(e.Title)+"-"+strconv.FormatInt(serial.Add(1), 10), e.Title, e.Description, zone,
		wall(start), wall(end), start.UTC(), end.UTC(), e.Cost, e.Website, e.Venue, strings.ToLower(e.Title+"\n"+e.Description), e.Organizers,
		append(e.Categories, e.Tags...)).Scan(&id)
	if err != nil {
		return err
	}
	a := answer{origin: "http://" + c.Hostname(), host: c.Hostname(), place: p.place, b: make([]byte, 0, 8<<10)}
	err = p.run(c.UserContext(), "single", [][]byte{number(site), number(id)}, func(values [][]byte) { a.event(&cursor{values}, false) })
	if err != nil {
		return err
	}
	c.Status(fiber.StatusCreated)
	return a.send(c)
}
