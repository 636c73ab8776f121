package main

import (
	"context"

	"github.com/kalends/kalends/internal/mail"
	"github.com/kalends/kalends/internal/metrics"
)

// countedMail counts the e-mails that are sent.
type countedMail struct {
	sender  *mail.Sender
	metrics *metrics.Metrics
}

// Send implements letters.Post.
func (c *countedMail) Send(ctx context.Context, to, subject, text string) error {
	err := c.sender.Send(ctx, to, subject, text)
	c.metrics.Mailed(err)
	return err
}

// Deliver implements newsletters.Post.
func (c *countedMail) Deliver(ctx context.Context, m *mail.Message) error {
	err := c.sender.Deliver(ctx, m)
	c.metrics.Mailed(err)
	return err
}
