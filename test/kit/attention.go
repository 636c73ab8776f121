package kit

import (
	"context"
	"time"

	"github.com/kalends/kalends/calendar/attention"
	"github.com/kalends/kalends/calendar/letters"
	attentionstore "github.com/kalends/kalends/storage/attention"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
)

// attentive returns the service that tells people what waits, through post if that can send letters.
func (k *Kit) attentive(post letters.Post, clock func() time.Time) *attention.Service {
	o := attention.Options{Store: attentionstore.New(k.DB.Engine()), Clock: clock,
		Writer: &letters.Waiting{Resolver: k.Platform.Resolver, Page: frame.WaitsAt, Settings: frame.AdminRoot + "/profile"}}
	if sender, ok := post.(attention.Post); ok {
		o.Post = sender
	}
	return attention.New(o)
}

// TellPeople tells people what waits by now.
func (k *Kit) TellPeople() {
	k.T.Helper()
	for worked := true; worked; {
		var err error
		worked, err = k.Attention.Work(tenancy.AsProvider(context.Background(), tenancy.Provider{Scheduled: true}))
		k.Must(err)
	}
}
