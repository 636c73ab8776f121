package main

import (
	"context"
	"encoding/binary"
	"errors"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// plain is the hand-written program. It knows its sites in advance, supports page, days, category and search, and has
// one statement per kind of response.
type plain struct {
	pool  *pgxpool.Pool
	sites map[string]int64
	place *time.Location

	inMemory bool // venues, organizers and terms are
	mu       sync.Mutex
	things   map[int64]*things // by site
}

// plainRoutes serves lists and single events at Kalends's addresses.
func plainRoutes(ctx context.Context, app *fiber.App, url string, inMemory bool) error {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return err
	}
	config.MaxConns = 8
	config.ConnConfig.RuntimeParams["plan_cache_mode"] = "force_generic_plan"
	config.ConnConfig.RuntimeParams["max_parallel_workers_per_gather"] = "0"
	config.ConnConfig.RuntimeParams["jit"] = "off"
	config.ConnConfig.RuntimeParams["random_page_cost"] = "1.1"
	config.ConnConfig.RuntimeParams["timezone"] = "UTC"
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		for name, sql := range plainStatements {
			if _, err := conn.Prepare(ctx, name, sql); err != nil {
				return err
			}
		}
		return nil
	}
	p := &plain{sites: map[string]int64{}, inMemory: inMemory, things: map[int64]*things{}}
	if p.place, err = time.LoadLocation(zone); err != nil {
		return err
	}
	if p.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return err
	}
	rows, err := p.pool.Query(ctx, "SELECT slug, id FROM plain.sites")
	if err != nil {
		return err
	}
	var slug string
	var id int64
	if _, err = pgx.ForEachRow(rows, []any{&slug, &id}, func() error {
		p.sites[strings.Clone(slug)+"."+domain] = id
		return nil
	}); err != nil {
		return err
	}
	app.Get("/calendar/events/v1/events", p.list)
	app.Post("/calendar/events/v1/events", p.create)
	app.Get("/calendar/events/v1/events/:id", p.single)
	return nil
}

const perPage = 15

// list returns one page of a site's events from today on.
func (p *plain) list(c *fiber.Ctx) error {
	site, known := p.sites[c.Hostname()]
	page := max(c.QueryInt("page", 1), 1)
	if !known {
		return fiber.ErrNotFound
	}
	now := time.Now().In(p.place)
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	until := today.AddDate(2, 0, 1).Add(-time.Second)
	a := answer{origin: "http://" + c.Hostname(), host: c.Hostname(), place: p.place, page: page, from: today, until: until}
	if a.strict = c.QueryBool("strict_dates"); a.strict {
		var err error
		if a.from, err = time.Parse(stamp, c.Query("start_date")); err == nil {
			a.until, err = time.Parse(stamp, c.Query("end_date"))
		}
		if err != nil {
			return fiber.ErrBadRequest
		}
	}
	name := "list"
	parameters := [][]byte{number(site), moment(a.from), moment(a.until), number(perPage), number(int64(page-1) * perPage)}
	if a.search = c.Query("search"); a.search != "" {
		name = "find"
		category := c.QueryInt("categories")
		a.category = strconv.Itoa(category)
		parameters = append(parameters, number(int64(category)), []byte("%"+strings.ToLower(a.search)+"%"))
	}
	a.b = append(make([]byte, 0, 96<<10), `{"events":[`...)
	var of *things
	if p.inMemory && name == "list" {
		name = "lean"
		var err error
		if of, err = p.thingsOf(c.UserContext(), site, &a); err != nil {
			return err
		}
	}
	err := p.run(c.UserContext(), name, parameters, func(values [][]byte) {
		if a.total == 0 {
			a.total = int(binary.BigEndian.Uint64(values[0]))
		} else {
			a.b = append(a.b, ',')
		}
		if of != nil {
			of.event(&a, &cursor{values[1:]})
			return
		}
		a.event(&cursor{values[1:]}, false)
	})
	if err != nil {
		return err
	}
	a.envelope()
	return a.send(c)
}

// single returns one event.
func (p *plain) single(c *fiber.Ctx) error {
	site, known := p.sites[c.Hostname()]
	id, err := strconv.ParseInt(c.Params("id"), 10, 64)
	if err != nil || !known {
		return fiber.ErrNotFound
	}
	a := answer{origin: "http://" + c.Hostname(), host: c.Hostname(), place: p.place, b: make([]byte, 0, 8<<10)}
	err = p.run(c.UserContext(), "single", [][]byte{number(site), number(id)}, func(values [][]byte) {
		a.event(&cursor{values}, true)
	})
	if err == nil && len(a.b) == 0 {
		err = fiber.ErrNotFound
	}
	if err != nil {
		return err
	}
	return a.send(c)
}

// run executes a prepared statement and passes its rows in binary.
func (p *plain) run(ctx context.Context, name string, parameters [][]byte, row func([][]byte)) error {
	conn, err := p.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	result := conn.Conn().PgConn().ExecPrepared(ctx, name, parameters, binaryFormats, binaryFormats)
	for result.NextRow() {
		row(result.Values())
	}
	_, err = result.Close()
	if failed, ok := errors.AsType[*pgconn.PgError](err); ok {
		err = failed
	}
	return err
}

var binaryFormats = []int16{pgx.BinaryFormatCode}

func number(n int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)) }

// epoch is the Postgres epoch in microseconds since that of Unix.
const epoch = 946_684_800_000_000

func moment(t time.Time) []byte { return number(t.UnixMicro() - epoch) }

// send sends the appended bytes.
func (a *answer) send(c *fiber.Ctx) error {
	c.Response().Header.SetContentType(contentType)
	c.Response().SetBodyRaw(a.b)
	return nil
}
