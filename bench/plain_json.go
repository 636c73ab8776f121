package main

import (
	"encoding/binary"
	"math"
	"net/url"
	"strconv"
	"time"
)

// answer is JSON under construction in the format of Kalends.
type answer struct {
	b            []byte
	origin, host string
	place        *time.Location

	page, total      int
	from, until      time.Time
	search, category string
	strict           bool // a window was requested
}

// lit appends literal JSON.
func (a *answer) lit(s string) { a.b = append(a.b, s...) }

func (a *answer) int(n int64) { a.b = strconv.AppendInt(a.b, n, 10) }

func (a *answer) bool(v []byte) { a.b = strconv.AppendBool(a.b, v[0] != 0) }

// str appends a key, given with its colon, and a string.
func (a *answer) str(key string, s []byte) {
	a.b = append(append(a.b, key...), '"')
	start := 0
	for i, c := range s {
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		a.b = append(a.b, s[start:i]...)
		if c < ' ' {
			a.b = append(a.b, '\\', 'u', '0', '0', "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		} else {
			a.b = append(a.b, '\\', c)
		}
		start = i + 1
	}
	a.b = append(append(a.b, s[start:]...), '"')
}

func (a *answer) float(key string, f float64) {
	a.b = strconv.AppendFloat(append(a.b, key...), f, 'f', -1, 64)
}

// some appends a key and a string unless it is empty.
func (a *answer) some(key string, s []byte) {
	if len(s) > 0 {
		a.str(key, s)
	}
}

const stamp = "2006-01-02 15:04:05"

func (a *answer) time(key string, t time.Time) {
	a.b = append(t.AppendFormat(append(append(a.b, key...), '"'), stamp), '"')
}

// post appends the common first fields of events, venues and organizers after the id.
func (a *answer) post(c *cursor) (date time.Time) {
	a.lit(`,"author":"`)
	a.int(c.int())
	a.str(`","status":`, c.next())
	published, modified := c.time(), c.time()
	a.time(`,"date":`, published.In(a.place))
	a.time(`,"date_utc":`, published)
	a.time(`,"modified":`, modified.In(a.place))
	a.time(`,"modified_utc":`, modified)
	return published
}

// at appends a time and its parts.
func (a *answer) at(key string, t time.Time) {
	a.lit(`,"` + key)
	a.time(`":`, t)
	var s [len(stamp)]byte
	copy(s[:], a.b[len(a.b)-len(stamp)-1:])
	a.lit(`,"` + key)
	a.str(`_details":{"year":`, s[0:4])
	a.str(`,"month":`, s[5:7])
	a.str(`,"day":`, s[8:10])
	a.str(`,"hour":`, s[11:13])
	a.str(`,"minutes":`, s[14:16])
	a.str(`,"seconds":`, s[17:19])
	a.lit(`}`)
}

// global appends a globally unique id twice.
func (a *answer) global(id int64) {
	a.lit(`,"global_id":"` + a.host + `?id=`)
	a.int(id)
	a.lit(`","global_id_lineage":["` + a.host + `?id=`)
	a.int(id)
	a.lit(`"]`)
}

// envelope ends a list.
func (a *answer) envelope() {
	pages := (a.total + perPage - 1) / perPage
	a.lit(`],"rest_url":"` + a.origin + `/calendar/events/v1/events/?page=`)
	a.int(int64(a.page))
	a.lit(`&`)
	a.query()
	a.lit(`"`)
	if a.page < pages {
		a.link(`,"next_rest_url":"`, a.page+1)
	}
	if a.page > 1 {
		a.link(`,"previous_rest_url":"`, a.page-1)
	}
	a.lit(`,"total":`)
	a.int(int64(a.total))
	a.lit(`,"total_pages":`)
	a.int(int64(pages))
	a.lit(`}`)
}

// link appends the address of another page.
func (a *answer) link(key string, page int) {
	a.lit(key + a.origin + `/calendar/events/v1/events/?`)
	a.query()
	if page > 1 {
		a.lit(`&page=`)
		a.int(int64(page))
	}
	a.lit(`"`)
}

// query appends the query of a list without its page.
func (a *answer) query() {
	a.lit(`per_page=15&start_date=` + url.QueryEscape(a.from.Format(stamp)) + `&end_date=` + url.QueryEscape(a.until.Format(stamp)))
	if a.search != "" {
		a.lit(`&search=` + url.QueryEscape(a.search))
	}
	a.lit(`&status=publish`)
	if a.search != "" {
		a.lit(`&categories=` + a.category)
	}
	if a.strict {
		a.lit(`&strict_dates=true`)
	}
}

// cursor reads binary values in order.
type cursor struct{ values [][]byte }

func (c *cursor) next() []byte {
	v := c.values[0]
	c.values = c.values[1:]
	return v
}

func (c *cursor) int() int64 {
	switch v := c.next(); len(v) {
	case 4:
		return int64(int32(binary.BigEndian.Uint32(v)))
	case 8:
		return int64(binary.BigEndian.Uint64(v))
	}
	return 0
}

func (c *cursor) float() float64 { return math.Float64frombits(binary.BigEndian.Uint64(c.next())) }

func (c *cursor) time() time.Time { return time.UnixMicro(c.int() + epoch).UTC() }

// elements splits an array into its elements.
func elements(b []byte, each func([]byte)) {
	if len(b) < 20 {
		return
	}
	n := binary.BigEndian.Uint32(b[12:])
	for b = b[20:]; n > 0; n-- {
		size := binary.BigEndian.Uint32(b)
		each(b[4 : 4+size])
		b = b[4+size:]
	}
}

// records splits an array of records into values.
func records(b []byte, each func(*cursor)) {
	var held [16][]byte
	elements(b, func(b []byte) {
		values := held[:0]
		n := binary.BigEndian.Uint32(b)
		for b = b[4:]; n > 0; n-- {
			size := int32(binary.BigEndian.Uint32(b[4:]))
			b = b[8:]
			if size < 0 {
				values = append(values, nil)
				continue
			}
			values = append(values, b[:size])
			b = b[size:]
		}
		each(&cursor{values})
	})
}
