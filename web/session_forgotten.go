package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// Post sends mail.
type Post interface {
	// Send sends a text to an e-mail address.
	Send(ctx context.Context, to, subject, text string) error
}

// sendTime is how long one mail may take in the background, and mostSending how
// many may at once.
const (
	sendTime    = 45 * time.Second
	mostSending = 8
)

// routesOfVouchers are the pages for those who can't sign in.
func (w *admin) routesOfVouchers() []adminRoute {
	const get, post = http.MethodGet, http.MethodPost
	return []adminRoute{
		{get, "/forgotten", 0, w.askForgotten, true},
		{post, "/forgotten", 0, w.forgotten, true},
		{get, "/welcome", 0, w.askPassword, true},
		{post, "/welcome", 0, w.redeem, true},
	}
}

func (w *admin) askForgotten(v *visit) (*reply, error) { return w.forgottenReply(v, false, 0), nil }

func (w *admin) forgottenReply(v *visit, done bool, status int) *reply {
	return &reply{status: status, title: tell(v.ctx, "forgotten.title"), bare: true, body: forgottenPage(v.form, w.post != nil, done)}
}

// forgotten mails the way to a new password. The answer is the same, and takes
// the same time, whether there is such a person or not: that is found out after
// it was given.
func (w *admin) forgotten(v *visit) (*reply, error) {
	login := tenancy.Fold(v.form.get("login"))
	switch {
	case w.post == nil:
		return w.forgottenReply(v, false, 0), nil
	case login == "":
		v.form.wrong("login", tell(v.ctx, "required"))
		return w.forgottenReply(v, false, http.StatusUnprocessableEntity), nil
	}
	tries := []string{"forgotten by " + v.client, "forgotten of " + login}
	for i, who := range tries {
		wait, err := w.platform.Attempts.Take(v.ctx, who)
		if err != nil {
			w.triesBack(v, tries[:i])
			return nil, err
		}
		if wait > 0 {
			return throttled(v, "login", wait, func(status int) (*reply, error) { return w.forgottenReply(v, false, status), nil })
		}
	}
	select {
	case w.sending <- struct{}{}:
	default: // so many are under way that this one has to be asked for again
		w.triesBack(v, tries)
		return nil, calendar.ErrUnavailable
	}
	go func() {
		defer func() { <-w.sending }()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(v.ctx), sendTime)
		defer cancel()
		if err := w.sendForgotten(ctx, v, login); err != nil && !errors.Is(err, tenancy.ErrNoUser) {
			w.logger.WarnContext(ctx, "forgotten password", "error", err)
		}
	}()
	return w.forgottenReply(v, true, 0), nil
}

// triesBack returns attempts that came to nothing.
func (w *admin) triesBack(v *visit, tries []string) {
	for _, who := range tries {
		w.platform.Attempts.Back(v.ctx, who)
	}
}

func (w *admin) sendForgotten(ctx context.Context, v *visit, login string) error {
	given, token, user, err := w.platform.Vouchers.Forgotten(ctx, login)
	if err != nil {
		return err
	}
	return w.mailVoucher(ctx, given.Kind, user, w.voucherLink(v, token))
}

// mailVoucher writes to a person in their language.
func (w *admin) mailVoucher(ctx context.Context, kind tenancy.VoucherKind, u *tenancy.User, link string) error {
	scope := tenancy.Current(ctx)
	language := ui.FirstText(u.Language, scope.Language)
	if kind == tenancy.Invitation {
		language = ui.FirstText(u.Language, scope.Site.Language)
	}
	data := map[string]any{"Name": u.Name, "Login": u.Login, "Site": scope.Site.Name, "Link": link}
	key := "admin.mail." + string(kind)
	return w.post.Send(ctx, u.Email, i18n.Text(language, key+".subject", data), i18n.Text(language, key+".text", data)+"\n")
}

// origin is where people find the site.
func (w *admin) origin(v *visit) string {
	scheme, _, _ := strings.Cut(v.scope().Base.Origin, "://")
	return scheme + "://" + w.platform.Resolver.Home(v.scope().Site, v.host) + v.port
}

// voucherLink is the address at which a voucher is used. Its host is one of the
// site's own: what a request says of itself is believed only when it names one.
func (w *admin) voucherLink(v *visit, token string) string {
	origin := v.scope().Base.Scheme + "://" + w.platform.Resolver.Home(v.scope().Site, v.host)
	if v.scope().Base.Scheme == "http" { // as we listen ourselves
		origin += v.port
	}
	return origin + adminRoot + "/welcome?code=" + url.QueryEscape(token)
}

func (w *admin) askPassword(v *visit) (*reply, error) { return w.welcomeReply(v, 0) }

// welcomeReply asks for a new password when the voucher is good.
func (w *admin) welcomeReply(v *visit, status int) (*reply, error) {
	code := ui.FirstText(v.form.get("code"), v.query.Get("code"))
	given, user, err := w.platform.Vouchers.Check(v.ctx, code)
	switch {
	case errors.Is(err, tenancy.ErrNoVoucher):
		return &reply{status: http.StatusGone, title: tell(v.ctx, "voucher.over"), bare: true, body: voucherOverPage()}, nil
	case err != nil:
		return nil, err
	}
	v.form.kind = "user"
	v.form.set("code", code)
	if given.Kind == tenancy.Invitation && !v.form.has("name") {
		v.form.set("name", user.Name)
	}
	open := tenancy.Ways{}
	if given.Kind == tenancy.Reset { // perhaps because somebody else knows the password
		if open, err = w.platform.Vouchers.Ways(v.ctx, code); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{"cut_keys", "cut_passkeys"} {
		if !v.form.has(name) {
			v.form.set(name, "1")
		}
	}
	key := "welcome." + string(given.Kind)
	return &reply{status: status, title: tell(v.ctx, key), bare: true, body: welcomePage(v.form, given, user, key, waysOf(open))}, nil
}

// redeem sets the password of a voucher's user, and signs them in.
func (w *admin) redeem(v *visit) (*reply, error) {
	name := strings.TrimSpace(v.form.get("name"))
	if v.form.get("password") != v.form.get("again") {
		v.form.wrong("again", tell(v.ctx, "password.again"))
		v.form.refuse(v.ctx, tenancy.CheckWelcome(name, v.form.get("password")))
		return w.welcomeReply(v, http.StatusUnprocessableEntity)
	}
	user, err := w.platform.Vouchers.Redeem(v.ctx, v.form.get("code"), name, v.form.get("password"), v.form.cut())
	switch {
	case errors.Is(err, tenancy.ErrNoVoucher):
		return w.welcomeReply(v, 0)
	case err != nil && !v.form.refuse(v.ctx, err):
		return nil, err
	case err != nil:
		return w.welcomeReply(v, http.StatusUnprocessableEntity)
	}
	session, token, err := w.platform.Sessions.Start(v.ctx, user, v.agent, v.scope().Address)
	if err != nil {
		return nil, err
	}
	v.signIn(session, user)
	return &reply{redirect: adminRoot, say: "welcome", token: &token}, nil
}
