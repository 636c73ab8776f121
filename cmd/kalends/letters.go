package main

import (
	"context"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/calendar/newsletters"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/mail"
	"github.com/kalends/kalends/internal/metrics"
	"github.com/kalends/kalends/internal/secrets"
	letterstore "github.com/kalends/kalends/storage/newsletters"
	platformstore "github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/web/public/letter"
)

// letters returns the service over letters to visitors, which sends them, too.
func (in *installation) letters(ctx context.Context, sender *mail.Sender) (*newsletters.Service, error) {
	secret, err := platformstore.Secret(ctx, in.db.Engine(), wording.Folding)
	if err != nil {
		return nil, err
	}
	signer, err := secrets.NewSigner(secret, "letters")
	if err != nil {
		return nil, err
	}
	o := newsletters.Options{Store: letterstore.New(in.db.Engine(), in.db.Now), Calendar: in.calendar, Attempts: in.platform.Attempts, Writer: letter.Writer{},
		Signer: signer, Home: in.platform.Resolver.Sent, Scope: api.HomeOf(in.platform.Resolver), Clock: in.db.Now, Logger: in.logger}
	if sender != nil {
		o.Post = countedLetters{sender, in.metrics}
	}
	return newsletters.New(o), nil
}

// countedLetters counts the letters that are sent.
type countedLetters struct {
	sender  *mail.Sender
	metrics *metrics.Metrics
}

// Deliver implements newsletters.Post.
func (c countedLetters) Deliver(ctx context.Context, m *mail.Message) error {
	err := c.sender.Deliver(ctx, m)
	c.metrics.Mailed(err)
	return err
}
