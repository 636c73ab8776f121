package kit

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/calendar/letters"
	"github.com/kalends/kalends/calendar/newsletters"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/secrets"
	letterstore "github.com/kalends/kalends/storage/newsletters"
	platformstore "github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/public/letter"
)

// mailing returns what letters are made of, and sent through post if that can send them.
func (k *Kit) mailing(post letters.Post, now func() time.Time) newsletters.Options {
	k.ahead = &atomic.Int64{}
	clock := func() time.Time { return now().Add(time.Duration(k.ahead.Load())) }
	secret, err := platformstore.Secret(context.Background(), k.DB.Engine(), wording.Folding)
	k.Must(err)
	signer, err := secrets.NewSigner(secret, "letters")
	k.Must(err)
	o := newsletters.Options{Store: letterstore.New(k.DB.Engine(), clock), Calendar: k.Calendar, Attempts: k.Platform.Attempts, Writer: letter.Writer{},
		Signer: signer, Home: k.Platform.Resolver.Sent, Scope: api.HomeOf(k.Platform.Resolver), Children: layout.New(k.Calendar).ForChildren, Pace: time.Microsecond, Counter: k.Numbers, Clock: clock}
	if sender, ok := post.(newsletters.Post); ok {
		o.Post = sender
	}
	return o
}

// LettersAt lets the clock of letters show a time, and sends what is due by then.
func (k *Kit) LettersAt(at time.Time) {
	k.T.Helper()
	k.SetLetters(at)
	k.SendLetters()
}

// SetLetters lets the clock of letters show a time.
func (k *Kit) SetLetters(at time.Time) { k.ahead.Add(int64(at.Sub(k.Mailing.Clock()))) }

// SendLetters sends the letters that are due.
func (k *Kit) SendLetters() {
	k.T.Helper()
	for worked := true; worked; {
		var err error
		worked, err = k.Letters.Work(tenancy.AsProvider(context.Background(), tenancy.Provider{Scheduled: true}))
		k.Must(err)
	}
}
