package main

import (
	"github.com/kalends/kalends/calendar/attention"
	"github.com/kalends/kalends/calendar/letters"
	attentionstore "github.com/kalends/kalends/storage/attention"
	"github.com/kalends/kalends/web/forms/frame"
)

// attention returns the service that notifies people of waiting items.
func (in *installation) attention(post *countedMail) *attention.Service {
	o := attention.Options{Store: attentionstore.New(in.db.Engine()), Clock: in.db.Now, Logger: in.logger,
		Writer: &letters.Waiting{Resolver: in.platform.Resolver, Page: frame.WaitsAt, Settings: frame.AdminRoot + "/profile"}}
	if post != nil {
		o.Post = post
	}
	return attention.New(o)
}
