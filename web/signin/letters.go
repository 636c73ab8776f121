package signin

import (
	"context"
	"log/slog"
	"net/url"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/letters"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/frame"
	"github.com/kalends/kalends/web/ui"
)

// Letters give people the way to a password: by mail where mail is sent.
type Letters struct {
	platform *tenancy.Platform
	post     letters.Post // nil: no mail is sent
	logger   *slog.Logger
}

// NewLetters returns the letters; without a post none is sent.
func NewLetters(p *tenancy.Platform, post letters.Post, logger *slog.Logger) *Letters {
	return &Letters{p, post, logger}
}

// sent reports whether mail is sent.
func (l *Letters) sent() bool { return l.post != nil }

// Handed is a voucher that was given to a person.
type Handed struct {
	User   *tenancy.User
	Link   string // to be passed on by whoever asked for it
	Mailed bool   // to the person, so that nobody has to
	Unsent bool   // because it couldn't be mailed
}

// Give gives a person of the site of a context a voucher; errors are those of
// tenancy's vouchers.
func (l *Letters) Give(ctx context.Context, id int64) (Handed, error) {
	given, token, user, err := l.platform.Vouchers.Give(ctx, id)
	if err != nil {
		return Handed{}, err
	}
	h := Handed{User: user, Link: l.link(ctx, token)}
	if l.sent() {
		if err = l.mail(ctx, given.Kind, user, h.Link); err != nil {
			l.logger.WarnContext(ctx, "send mail", "error", err)
		}
		h.Mailed, h.Unsent = err == nil, err != nil
	}
	return h, nil
}

// mail writes to a person in their language.
func (l *Letters) mail(ctx context.Context, kind tenancy.VoucherKind, u *tenancy.User, link string) error {
	scope := tenancy.Current(ctx)
	language := ui.FirstText(u.Language, scope.Language)
	if kind == tenancy.Invitation {
		language = ui.FirstText(u.Language, scope.Site.Language)
	}
	data := map[string]any{"Name": u.Name, "Login": u.Login, "Site": scope.Site.WordsIn(language).Name, "Link": link}
	key := "admin.mail." + string(kind)
	return l.post.Send(ctx, u.Email, i18n.Text(language, key+".subject", data), i18n.Text(language, key+".text", data)+"\n")
}

// Origin is where people find a site, on the way by which the visit came.
func (l *Letters) Origin(v *frame.Visit, site *tenancy.Site) string {
	return originOf(v, l.platform.Resolver.Home(site, v.Host))
}

// link is the address at which a voucher is used.
func (l *Letters) link(ctx context.Context, token string) string {
	return l.platform.Resolver.Sent(tenancy.Current(ctx)) + frame.AdminRoot + "/welcome?code=" + url.QueryEscape(token)
}
