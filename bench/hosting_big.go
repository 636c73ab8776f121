package main

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// many returns the number of events of the site with very many.
func (h *hosting) many() int {
	switch {
	case h.million:
		return 1_000_000
	case h.quick:
		return eventsOfBig / 10
	}
	return eventsOfBig
}

// fillBig loads very many events into one more site.
func (h *hosting) fillBig(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, h.url)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	began := time.Now()
	if err := h.load(ctx, conn, &dataset{today: h.today, sites: []*site{h.big}}); err != nil {
		return err
	}
	h.filling = time.Since(began)
	h.say("loaded a site of %d events in %s", h.big.events, h.filling.Round(time.Second))
	return nil
}

// disturbByMany measures the neighbors of the site with very many events while its lists are requested, and then also
// deep pages and searches.
func (h *hosting) disturbByMany(ctx context.Context) error {
	if err := h.fillBig(ctx); err != nil {
		return err
	}
	node, err := h.node(ctx, "many", "KALENDS_CACHE_BYTES=0")
	if err != nil {
		return err
	}
	defer node.stop()
	pages := max(1, h.big.events/25) // slightly less than half of the events are in the future
	asked := []request{listOf(h.big, 1), found(h.big, 3), listOf(h.big, pages/2), found(h.big, 8), listOf(h.big, pages), eventOf(h.big, h.big.events/2)}
	return h.compareCalm(ctx, node, quietMany, []trial{{name: noisyBig, of: h.big, asked: asked[:1]},
		{name: noisyMany, of: h.big, asked: asked}})
}
