package main

import (
	"context"
	"encoding/binary"
)

// things are the venues, organizers and terms of a site as JSON, read once and never invalidated, which requires that
// nobody else writes.
type things struct {
	venues, organizers map[int64][]byte
	terms              map[int64]thing
}

// thing is a term with its position and its kind.
type thing struct {
	at   int
	kind int
	json []byte
}

// thingsOf returns the things of a site.
func (p *plain) thingsOf(ctx context.Context, site int64, like *answer) (*things, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t := p.things[site]; t != nil {
		return t, nil
	}
	t := &things{map[int64][]byte{}, map[int64][]byte{}, map[int64]thing{}}
	id := func(values [][]byte) int64 { return int64(binary.BigEndian.Uint64(values[0])) }
	write := func(do func(a *answer)) []byte {
		a := answer{origin: like.origin, host: like.host, place: like.place}
		do(&a)
		return a.b
	}
	parameters := [][]byte{number(site)}
	err := p.run(ctx, "venues", parameters, func(values [][]byte) {
		t.venues[id(values)] = write(func(a *answer) { a.venue(&cursor{values}, nil) })
	})
	if err == nil {
		err = p.run(ctx, "organizers", parameters, func(values [][]byte) {
			t.organizers[id(values)] = write(func(a *answer) { a.organizer(&cursor{values}, nil) })
		})
	}
	if err == nil {
		err = p.run(ctx, "terms", parameters, func(values [][]byte) {
			one := thing{at: len(t.terms)}
			for i, kind := range termKinds {
				if kind.taxonomy == string(values[1]) {
					one.kind = i
				}
			}
			kind := termKinds[one.kind]
			one.json = write(func(a *answer) { a.term(id(values), &cursor{values[2:]}, kind.wire, kind.collection) })
			t.terms[id(values)] = one
		})
	}
	if err == nil {
		p.things[site] = t
	}
	return t, err
}

// event appends an event given the ids of its links.
func (t *things) event(a *answer, c *cursor) {
	a.own(c)
	venue, organizers, terms := c.next(), c.next(), c.next()
	var list []thing
	elements(terms, func(b []byte) {
		one := t.terms[int64(binary.BigEndian.Uint64(b))]
		at := len(list)
		for list = append(list, one); at > 0 && list[at-1].at > one.at; at-- {
			list[at] = list[at-1]
		}
		list[at] = one
	})
	for i, kind := range termKinds {
		a.lit(kind.key)
		for _, one := range list {
			if one.kind == i {
				a.next(one.json)
			}
		}
		a.lit(`]`)
	}
	if venue == nil {
		a.lit(`,"venue":[]`)
	} else {
		a.b = append(a.b, t.venues[int64(binary.BigEndian.Uint64(venue))]...)
	}
	a.lit(`,"organizer":[`)
	elements(organizers, func(b []byte) { a.next(t.organizers[int64(binary.BigEndian.Uint64(b))]) })
	a.lit(`],"custom_fields":[]}`)
}

// next appends an entry of an array.
func (a *answer) next(json []byte) {
	if a.b[len(a.b)-1] != '[' {
		a.lit(",")
	}
	a.b = append(a.b, json...)
}
