package main

import (
	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/calendar/newsletters"
	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/internal/secrets"
	letterstore "github.com/kalends/kalends/storage/newsletters"
	"github.com/kalends/kalends/web/public/letter"
)

// letters returns the service over letters to visitors, which sends them, too.
func (in *installation) letters(post *countedMail, counter *numbers.Counter) (*newsletters.Service, error) {
	signer, err := secrets.NewSigner(in.secret, "letters")
	if err != nil {
		return nil, err
	}
	o := newsletters.Options{Store: letterstore.New(in.db.Engine(), in.db.Now), Calendar: in.calendar, Attempts: in.platform.Attempts, Writer: letter.Writer{},
		Signer: signer, Home: in.platform.Resolver.Sent, Scope: api.HomeOf(in.platform.Resolver), Clock: in.db.Now, Counter: counter, Logger: in.logger}
	if post != nil {
		o.Post = post
	}
	return newsletters.New(o), nil
}
