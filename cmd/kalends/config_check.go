package main

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/kalends/kalends/internal/cache"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// wrong returns the errors in the settings that are apparent without contacting anything, each with the setting's
// name. The service does not start with one, because it would not do what was intended.
func (c *Config) wrong() (all []error) {
	say := func(err error) {
		if err != nil {
			all = append(all, err)
		}
	}
	say(listenable("KALENDS_ADDR", c.Addr))
	if c.MetricsAddr != "" {
		say(listenable("KALENDS_METRICS_ADDR", c.MetricsAddr))
	}
	for _, proxy := range c.Proxies {
		say(anAddress(proxy))
	}
	say(atLeast("KALENDS_CACHE_BYTES", int64(c.CacheBytes), 0))
	say(atLeast("KALENDS_REQUESTS_PER_KEY", int64(c.KeyRequests), 0))
	say(atLeast("KALENDS_IMPORT_BYTES", c.ImportBytes, 1))
	if c.Drain < 0 {
		say(fmt.Errorf("KALENDS_DRAIN is %s; it has to be 0s or more", c.Drain))
	}
	if c.HistoryDays != 0 && c.HistoryDays < shortestHistory {
		say(fmt.Errorf("KALENDS_HISTORY_DAYS is %d; it has to be %d or more, or 0 to keep the history forever",
			c.HistoryDays, shortestHistory))
	}
	for _, host := range c.FetchHosts {
		say(aHost("KALENDS_FETCH_HOSTS", host))
	}
	for _, host := range c.ImportHosts {
		say(aHost("KALENDS_IMPORT_HOSTS", host))
	}
	say(c.wrongConsole())
	say(c.wrongMail())
	say(c.wrongRedis())
	if c.Traces != "" {
		if u, err := url.Parse(c.Traces); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			say(errors.New("OTEL_EXPORTER_OTLP_ENDPOINT has to begin with http:// or https:// and the collector's host, " +
				"such as http://collector:4318"))
		}
	}
	return append(all, c.wrongInstallation()...)
}

// wrongInstallation is the part of wrong that concerns every command that opens the installation.
func (c *Config) wrongInstallation() (all []error) {
	all = append(all, c.problems...)
	for _, err := range []error{
		aName(c.PlatformDomain),
		aSlug(c.DefaultSite),
		atLeast("KALENDS_DATABASE_CONNECTIONS", int64(c.Connections), 1),
		c.wrongDatabase(),
		c.wrongMedia(),
	} {
		if err != nil {
			all = append(all, err)
		}
	}
	return all
}

// wrongMedia checks the address of the bucket.
func (c *Config) wrongMedia() error {
	if c.MediaURL == "" {
		return nil
	}
	_, err := c.bucket()
	return err
}

// wrongDatabase checks the address of the database.
func (c *Config) wrongDatabase() error {
	if c.DatabaseURL == "" {
		return nil
	}
	if err := pg.CheckAddress(c.DatabaseURL); err != nil {
		return errors.New("DATABASE_URL: " + withoutAddress(err, c.DatabaseURL))
	}
	return nil
}

// wrongRedis checks the address of Redis.
func (c *Config) wrongRedis() error {
	if c.RedisURL == "" {
		return nil
	}
	if err := cache.CheckAddress(c.RedisURL); err != nil {
		return errors.New("REDIS_URL: " + withoutAddress(err, c.RedisURL))
	}
	return nil
}

// listenable checks an address to listen on.
func listenable(setting, addr string) error {
	_, port, err := net.SplitHostPort(addr)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil {
		return fmt.Errorf("%s is %q; it has to be host:port", setting, addr)
	}
	return nil
}

// anAddress checks the address of a proxy. Names are not resolved.
func anAddress(proxy string) error {
	_, err := netip.ParseAddr(proxy)
	if strings.Contains(proxy, "/") {
		_, err = netip.ParsePrefix(proxy)
	}
	if err != nil {
		return fmt.Errorf("KALENDS_TRUSTED_PROXIES has %q; it has to be an address, or a range such as 10.0.0.0/8", proxy)
	}
	return nil
}

// aName checks the platform's domain.
func aName(domain string) error {
	if strings.ContainsAny(domain, "/:@* ") {
		return fmt.Errorf("KALENDS_PLATFORM_DOMAIN is %q; it has to be a name such as calendars.example.org, without scheme and port",
			domain)
	}
	return nil
}

// aSlug checks the default site. Whether there is one is known to the database.
func aSlug(slug string) error {
	if slug != "" && !tenancy.SlugForm(slug) {
		return fmt.Errorf("KALENDS_DEFAULT_SITE is %q; it has to be the slug of a site, such as club", slug)
	}
	return nil
}

// settleDefaultSite chooses the demo site for hosts that belong to no site, unless something else is set. A
// platform with its own domain lists its sites there (ADR 200).
func (c *Config) settleDefaultSite() {
	if c.DefaultSite == "" && c.PlatformDomain == "localhost" {
		c.DefaultSite = demoSite
	}
}

// aHost checks a host of a setting, from which images or files may be fetched.
func aHost(setting, host string) error {
	name := host
	if before, port, err := net.SplitHostPort(host); err == nil {
		if _, err := strconv.ParseUint(port, 10, 16); err == nil {
			name = before
		}
	}
	if _, err := netip.ParseAddr(name); err != nil && strings.ContainsAny(name, "/:@* ") {
		return fmt.Errorf("%s has %q; it has to be a host, or host:port, without scheme and path", setting, host)
	}
	return nil
}

// wrongMail checks the mail server and the sender.
func (c *Config) wrongMail() error {
	_, err := c.post()
	return err
}

func atLeast(setting string, value, least int64) error {
	if value < least {
		return fmt.Errorf("%s is %d; it has to be %d or more", setting, value, least)
	}
	return nil
}
