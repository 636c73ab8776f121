// Package letters writes the e-mails to people without an account, who have submitted events. The texts are in the
// i18n catalogs.
package letters

import (
	"context"
	"fmt"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// Post sends emails.
type Post interface {
	// Send sends a text to an email address.
	Send(ctx context.Context, to, subject, text string) error
}

// Letters implements submissions.Letters.
type Letters struct {
	post     Post
	resolver *platform.Resolver
	outbox   *Outbox
}

// Submissions returns the service for submitted events. Its emails are sent through post; if post is nil, none are
// sent.
func Submissions(c *services.Calendar, store submissions.Stores, p *platform.Platform, post Post) *submissions.Service {
	if post == nil {
		return submissions.New(c, store, p.Attempts, nil)
	}
	return submissions.New(c, store, p.Attempts, &Letters{post, p.Resolver, NewOutbox()})
}

// Home implements submissions.Letters. The host is always one of the site's own, whatever host the request has.
func (l *Letters) Home(ctx context.Context) string { return l.resolver.Sent(tenancy.Current(ctx)) }

// Confirm implements submissions.Letters. The email contains nothing that the sender typed, so that nobody can make
// the site send arbitrary texts to strangers.
func (l *Letters) Confirm(ctx context.Context, to *submissions.Sent, token string) error {
	link := to.Home + "/" + to.Language + submissions.SentPath(token)
	return l.send(ctx, "confirm", to, map[string]any{
		"Link": link,
		"Days": i18n.Number(to.Language, days(submissions.UnconfirmedLife.Hours())),
	}, "")
}

// Settled implements submissions.Letters.
func (l *Letters) Settled(ctx context.Context, s *submissions.Submission) error {
	data := map[string]any{"Name": s.Name, "Title": s.Title}
	if s.Status == submissions.Approved {
		data["Link"] = s.Home + "/" + s.Language + "/"
		if s.Event.Status == calendar.Publish {
			data["Link"] = s.Home + "/" + s.Language + s.Event.Path()
		}
		return l.send(ctx, "approved", &s.Sent, data, "")
	}
	return l.send(ctx, "refused", &s.Sent, data, s.Message)
}

// Returned implements submissions.Letters.
func (l *Letters) Returned(ctx context.Context, s *submissions.Submission, token string) error {
	return l.send(ctx, "returned", &s.Sent, map[string]any{
		"Name":  s.Name,
		"Title": s.Title,
		"Link":  s.Home + "/" + s.Language + submissions.SentPath(token),
		"Days":  i18n.Number(s.Language, days(submissions.SenderLife.Hours())),
	}, s.Message)
}

// send sends an email in the recipient's language. message is appended to the text if not empty.
func (l *Letters) send(ctx context.Context, kind string, to *submissions.Sent, data map[string]any, message string) error {
	data["Site"] = tenancy.Current(ctx).Site.WordsIn(to.Language).Name
	key := "letter." + kind
	text := i18n.Text(to.Language, key+".text", data)
	if message != "" {
		text += "\n\n" + message
	}
	err := l.outbox.Do(ctx, func(ctx context.Context) error {
		return l.post.Send(ctx, to.Email, i18n.Text(to.Language, key+".subject", data), text+"\n")
	})
	if err != nil {
		return fmt.Errorf("letter %q: %w", kind, err)
	}
	return nil
}

func days(hours float64) int { return int(hours / 24) }
