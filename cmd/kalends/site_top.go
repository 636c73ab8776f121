package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/storage/platform"
)

// hotEvery is how often a node notes which sites keep it busy.
const hotEvery = 10 * time.Second

// siteTop shows which sites keep the nodes busy.
type siteTop struct{}

// topSite is one line of the table.
type topSite struct {
	Slug     string  `json:"slug"`
	Requests float64 `json:"requests_per_second"`
	Errors   float64 `json:"errors_per_second"`
	Busy     float64 `json:"busy"` // requests that run at the same time, on average
}

// Run implements the command.
func (*siteTop) Run(p *program) error {
	return p.with(func(ctx context.Context, in *installation) (any, error) {
		noted, err := platform.Nodes(ctx, in.db.Engine())
		if err != nil {
			return nil, err
		}
		var all []server.Load
		for _, one := range noted {
			var busy []server.Load
			if err := json.Unmarshal(one, &busy); err != nil {
				return nil, fmt.Errorf("what a node noted: %w", err)
			}
			all = append(all, busy...)
		}
		list := []topSite{}
		for _, one := range server.Hottest(all) {
			list = append(list, topSite{one.Site, float64(one.Requests) / hotEvery.Seconds(), float64(one.Errors) / hotEvery.Seconds(),
				float64(one.Busy.Milliseconds()) / 1000 / hotEvery.Seconds()})
		}
		return list, nil
	})
}

// noteHot notes which sites keep this node busy, until the context ends.
func (in *installation) noteHot(ctx context.Context, hot *server.Hot) {
	node := rand.Text()
	rounds(ctx, hotEvery, func(ctx context.Context, _ time.Time) {
		ctx, cancel := context.WithTimeout(ctx, hotEvery)
		defer cancel()
		busy, err := json.Marshal(hot.Take())
		if err == nil {
			err = platform.NoteNode(ctx, in.db.Engine(), node, busy)
		}
		if err != nil && ctx.Err() == nil {
			in.logger.Debug("note busy sites", "error", err)
		}
	})
}

// trafficEvery is how often a node writes how many requests sites got.
const trafficEvery = time.Minute

// noteTraffic writes how many requests sites got, until the context ends. Each day it deletes old traffic and old answers to the provider.
func (in *installation) noteTraffic(ctx context.Context, hot *server.Hot) {
	go rounds(ctx, 24*time.Hour, func(ctx context.Context, _ time.Time) {
		err := errors.Join(platform.PurgeTraffic(ctx, in.db.Engine()), platform.PurgeAnswers(ctx, in.db.Engine()))
		if err != nil && ctx.Err() == nil {
			in.logger.Warn("purge traffic and answers", "error", err)
		}
	})
	rounds(ctx, trafficEvery, func(ctx context.Context, _ time.Time) { in.writeTraffic(ctx, hot) })
}

// lastTraffic writes what a node has counted when it stops.
func (in *installation) lastTraffic(hot *server.Hot) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	hot.Take()
	in.writeTraffic(ctx, hot)
}

// writeTraffic writes what was counted. What cannot be written is kept for the next time.
func (in *installation) writeTraffic(ctx context.Context, hot *server.Hot) {
	all := hot.Traffic()
	if err := platform.AddTraffic(ctx, in.db.Engine(), all); err != nil {
		hot.Back(all)
		if ctx.Err() == nil {
			in.logger.Warn("write traffic", "error", err)
		}
	}
}
