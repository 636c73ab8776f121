package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/kalends/kalends/internal/outbound"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/idp"
)

// consoleSignIn returns the OpenID Connect provider for signing in to the console, or nil if none is configured.
func (c *Config) consoleSignIn() *accounts.ConsoleSignIn {
	if c.ConsoleIssuer == "" {
		return nil
	}
	return &accounts.ConsoleSignIn{Issuer: c.ConsoleIssuer, ClientID: c.ConsoleClient, Secret: c.ConsoleSecret, Claim: c.ConsoleClaim,
		Emails: c.ConsoleEmails, Groups: c.ConsoleGroups}
}

// consoleProviders returns the client for the console's OpenID Connect provider, with the same allowed addresses as
// in the service.
func (c *Config) consoleProviders() *idp.Providers {
	return idp.New(outbound.NewGuard(c.FetchHosts, true), time.Now)
}

// wrongConsole checks the settings of signing in to the console.
func (c *Config) wrongConsole() error {
	switch {
	case c.ConsoleIssuer == "":
		if c.ConsoleClient != "" || c.ConsoleSecret != "" || len(c.ConsoleEmails)+len(c.ConsoleGroups) > 0 {
			return errors.New("KALENDS_CONSOLE_ISSUER is missing: set the address of the provider by which people sign in to the console")
		}
		return nil
	case c.consoleProviders().Check(c.ConsoleIssuer) != nil:
		return fmt.Errorf("KALENDS_CONSOLE_ISSUER is %q; it has to be the address of a provider, beginning with https://, and "+
			"KALENDS_FETCH_HOSTS has to list its host if that is private", c.ConsoleIssuer)
	case c.ConsoleClient == "":
		return errors.New("KALENDS_CONSOLE_CLIENT_ID is missing: set the name that the console has at its provider")
	case len(c.ConsoleEmails)+len(c.ConsoleGroups) == 0:
		return errors.New("KALENDS_CONSOLE_EMAILS and KALENDS_CONSOLE_GROUPS are empty: " +
			"nobody could sign in to the console by the provider")
	}
	return nil
}

// checkConsole checks that the OpenID Connect provider for signing in to the console can be reached.
func (p *program) checkConsole(ctx context.Context, f *findings) {
	by := p.config.consoleSignIn()
	if by == nil {
		f.ok("console", "people sign in with a provider token")
		return
	}
	if p.config.wrongConsole() != nil {
		return // already reported
	}
	party := accounts.Party{Issuer: by.Issuer, ClientID: by.ClientID, Secret: by.Secret, Claim: by.Claim}
	if _, err := p.config.consoleProviders().Address(ctx, party, accounts.Asked{}); err != nil {
		f.warn(
			"console",
			"%s does not answer as an OpenID Connect provider (%v): check KALENDS_CONSOLE_ISSUER, and KALENDS_FETCH_HOSTS if its "+
				"address is private; provider tokens work meanwhile",
			by.Issuer,
			err,
		)
		return
	}
	f.ok("console", "people sign in with %s, or with a provider token", by.Name())
}
