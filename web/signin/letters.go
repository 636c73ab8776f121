package signin

import (
	"cmp"
	"context"
	"log/slog"
	"net/url"
	"strings"

	"github.com/kalends/kalends/calendar/letters"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
)

// Letters gives people links to set a password, by email if that is configured.
type Letters struct {
	platform *platform.Platform
	post     letters.Post // nil: no email is sent
	logger   *slog.Logger
	outbox   *letters.Outbox // for emails caused by people of a site
	strange  *letters.Outbox // for emails that anyone can cause, so that they cannot block others
}

// NewLetters returns Letters. If post is nil, no email is sent.
func NewLetters(p *platform.Platform, post letters.Post, logger *slog.Logger) *Letters {
	return &Letters{p, post, logger, letters.NewOutbox(), letters.NewOutbox()}
}

// tell emails the owner of an account, in their language, that the account has changed. It does so after the response. The
// email contains no text from the person who made the change.
func (l *Letters) tell(ctx context.Context, kind string, to *tenancy.User) {
	l.behind(ctx, l.outbox, "tell of a changed account", func(ctx context.Context) error {
		scope := tenancy.Current(ctx)
		language := cmp.Or(to.Language, scope.Site.Language)
		data := map[string]any{"Name": to.Name, "Login": to.Login, "Site": scope.Site.WordsIn(language).Name,
			"Link": l.platform.Resolver.Sent(scope) + frame.AdminRoot + "/forgotten"}
		data["What"] = i18n.Text(language, "admin.mail.changed."+kind, data)
		subject := i18n.Text(language, "admin.mail.changed.subject", data)
		return l.post.Send(ctx, to.Email, subject, i18n.Text(language, "admin.mail.changed.text", data)+"\n")
	})
}

// behind calls do, which sends emails, after the response. The response must not depend on whether do can run,
// because that would reveal for whom e-mails are waiting. Failures are logged.
func (l *Letters) behind(ctx context.Context, o *letters.Outbox, what string, do func(context.Context) error) {
	lost := func(ctx context.Context) {
		l.logger.WarnContext(ctx, "send an e-mail", "about", what, "error", letters.ErrManyWait)
	}
	taken := o.Post(ctx, func(ctx context.Context) {
		if err := do(ctx); err != nil {
			l.logger.WarnContext(ctx, "send an e-mail", "about", what, "error", err)
		}
	}, lost)
	if !taken {
		lost(ctx)
	}
}

// Sent reports whether email is configured.
func (l *Letters) Sent() bool { return l.post != nil }

// Handed is a voucher given to a person.
type Handed struct {
	User   *tenancy.User
	Link   string // to be passed on by whoever requested it
	Mailed bool   // the person got it by email
	Unsent bool   // the email could not be sent
}

// Give creates a voucher for a person of the site in the context. It returns the errors of accounts.Vouchers.
func (l *Letters) Give(ctx context.Context, id int64) (Handed, error) {
	given, token, user, err := l.platform.Vouchers.Give(ctx, id)
	if err != nil {
		return Handed{}, err
	}
	h := Handed{User: user, Link: l.link(ctx, token)}
	if l.Sent() {
		err = l.outbox.Do(ctx, func(ctx context.Context) error {
			by, err := l.inviting(ctx)
			if err != nil {
				return err
			}
			return l.mail(ctx, given.Kind, user, h.Link, by)
		})
		if err != nil {
			l.logger.WarnContext(ctx, "send mail", "error", err)
		}
		h.Mailed, h.Unsent = err == nil, err != nil
	}
	return h, nil
}

// mail writes to a person in their language. by is the name of the person who invites them, or "" for the provider.
func (l *Letters) mail(ctx context.Context, kind accounts.VoucherKind, u *tenancy.User, link, by string) error {
	scope := tenancy.Current(ctx)
	language := cmp.Or(u.Language, scope.Language)
	if kind == accounts.Invitation {
		language = cmp.Or(u.Language, scope.Site.Language)
	}
	home, _, _ := strings.Cut(link, "/welcome")
	data := map[string]any{
		"Name":  u.Name,
		"Login": u.Login,
		"Site":  scope.Site.WordsIn(language).Name,
		"Link":  link,
		"Home":  home,
		"By":    by,
	}
	key := "admin.mail." + string(kind)
	if kind == accounts.Invitation {
		what := ".by"
		if by == "" {
			what = ".nobody"
		}
		data["What"] = i18n.Text(language, key+what, data)
	}
	return l.post.Send(ctx, u.Email, i18n.Text(language, key+".subject", data), i18n.Text(language, key+".text", data)+"\n")
}

// inviting returns the name of the user who invites, or "" for the provider.
func (l *Letters) inviting(ctx context.Context) (string, error) {
	me := tenancy.Current(ctx).Principal.UserID
	if me == 0 {
		return "", nil
	}
	u, err := l.platform.Users.Get(ctx, me)
	if err != nil {
		return "", err
	}
	return u.Name, nil
}

// Platform returns the origin of the platform with the scheme and port of the visit.
func (l *Letters) Platform(v *frame.Visit) string { return originOf(v, l.platform.Resolver.Platform()) }

// Origin returns the origin of a site with the scheme and port of the visit.
func (l *Letters) Origin(v *frame.Visit, site *tenancy.Site) string {
	return originOf(v, l.platform.Resolver.Home(site, v.Host))
}

// link returns the address that redeems a voucher.
func (l *Letters) link(ctx context.Context, token string) string {
	return l.platform.Resolver.Sent(tenancy.Current(ctx)) + frame.AdminRoot + "/welcome?code=" + url.QueryEscape(token)
}
