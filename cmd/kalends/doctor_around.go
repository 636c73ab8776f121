package main

import (
	"context"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/cache"
	"github.com/kalends/kalends/internal/mail"
	"github.com/kalends/kalends/storage"
)

// shortest is the minimum length of the provider token.
const shortest = 32

// checkSettings checks settings that are valid but may be unwise.
func (p *program) checkSettings(_ context.Context, f *findings) {
	wrong := p.config.wrong()
	for _, err := range wrong {
		f.fail("settings", "%v", err)
	}
	for _, odd := range p.config.odd {
		f.warn("settings", "%s", odd)
	}
	if len(wrong)+len(p.config.odd) == 0 {
		f.ok("settings", "all can be read")
	}
	switch n := len(p.config.ProviderToken); {
	case n == 0:
		f.ok("provider token", "none in the settings; create tokens with `kalends token create`")
	case n < shortest:
		f.fail("provider token", "KALENDS_PROVIDER_TOKEN has %d characters and opens every site: "+
			"create a longer one with `openssl rand -hex 32`", n)
	default:
		f.ok("provider token", "long enough")
	}
	host, _, err := net.SplitHostPort(p.config.Addr)
	ip, _ := netip.ParseAddr(host)
	switch {
	case err != nil: // already reported
	case host == "localhost" || ip.IsLoopback():
		f.ok("address", "%s, only for this machine", p.config.Addr)
	case len(p.config.Proxies) == 0:
		f.warn("proxies", "%s can be reached from elsewhere and KALENDS_TRUSTED_PROXIES is empty: name the proxy that handles TLS, "+
			"otherwise client addresses and https are not recognized", p.config.Addr)
	case slices.ContainsFunc(p.config.Proxies, wide):
		f.warn("proxies",
			"KALENDS_TRUSTED_PROXIES has a range of more than 65,536 addresses: anyone with one of them can forge client addresses; "+
				"list only the proxies")
	default:
		f.ok("proxies", "forwarded headers from %s are trusted", strings.Join(p.config.Proxies, ", "))
	}
	if addr := p.config.MetricsAddr; addr != "" && !strings.HasPrefix(addr, ":") {
		host, _, err := net.SplitHostPort(addr)
		if ip, _ := netip.ParseAddr(host); err == nil && host != "localhost" && !ip.IsLoopback() {
			f.warn("metrics", "KALENDS_METRICS_ADDR %s can be reached from elsewhere without a login: protect it with a firewall",
				addr)
		}
	}
}

// wide reports whether a range has more addresses than a network of proxies needs.
func wide(proxies string) bool {
	const most = 16 // bits of the host part
	named, err := netip.ParsePrefix(proxies)
	return err == nil && named.Addr().BitLen()-named.Bits() > most && (named.Addr().Is4() || named.Bits() < 64)
}

// checkRedis checks the cache.
func (p *program) checkRedis(ctx context.Context, f *findings) {
	if p.config.RedisURL == "" {
		f.ok("redis", "none; each node caches its own answers")
		return
	}
	if p.config.wrongRedis() != nil {
		return // already reported
	}
	e, err := cache.ExamineRedis(ctx, p.config.RedisURL)
	switch {
	case err != nil:
		f.warn("redis", "it does not answer (%s); the service continues without it, only slower: check REDIS_URL",
			withoutAddress(err, p.config.RedisURL))
	case e.Policy == "noeviction":
		f.warn("redis", "Redis %s accepts nothing more when it is full: set maxmemory and maxmemory-policy allkeys-lru", e.Version)
	case e.Most == "0":
		f.warn("redis", "Redis %s has no memory limit: set maxmemory, such as 256mb", e.Version)
	default:
		f.ok("redis", "Redis %s answers, %s", e.Version, e.Policy)
	}
}

// withoutAddress removes an address, which may contain a password, from an error message.
func withoutAddress(err error, address string) string {
	text := strings.ReplaceAll(err.Error(), address, "…")
	if u, failed := url.Parse(address); failed == nil && u.User != nil {
		if password, set := u.User.Password(); set && password != "" {
			text = strings.ReplaceAll(text, password, "…")
		}
	}
	return text
}

// roomy is the recommended free space for data in bytes.
const roomy = 1 << 30

// checkFolder checks the folder with images, or temporary files if images are in a bucket, and a private Postgres.
func (p *program) checkFolder(_ context.Context, f *findings) {
	dir, err := p.config.dataDir()
	if err != nil {
		f.fail("folder", "%v", err)
		return
	}
	folder := filepath.Join(dir, "media")
	if p.config.MediaURL != "" {
		folder = dir
	}
	switch info, err := os.Stat(folder); {
	case os.IsNotExist(err):
		checkMaking(f, folder)
		return
	case err != nil || !info.IsDir():
		f.fail("folder", "%s is not a readable folder: check KALENDS_DATA_DIR", folder)
		return
	}
	if !writable(folder) {
		f.fail("folder", "%s is not writable: give it to the user that Kalends runs as", folder)
	} else {
		f.ok("folder", "%s is writable", folder)
	}
	switch free, err := freeIn(folder); {
	case err != nil:
		f.warn("disk", "the free space cannot be determined: %v", err)
	case free < leastSpace:
		f.fail("disk", "%d MiB are left in %s: free some space", free>>20, folder)
	case free < roomy:
		f.warn("disk", "%d MiB are left in %s", free>>20, folder)
	default:
		f.ok("disk", "%d GiB are left", free>>30)
	}
}

// checkMaking checks whether a missing folder can be created.
func checkMaking(f *findings, folder string) {
	above := filepath.Dir(folder)
	for above != filepath.Dir(above) {
		if _, err := os.Stat(above); !os.IsNotExist(err) {
			break
		}
		above = filepath.Dir(above)
	}
	if !writable(above) {
		f.fail("folder", "%s does not exist and cannot be created in %s: check KALENDS_DATA_DIR, or create it and give it "+
			"to the user that Kalends runs as", folder, above)
		return
	}
	f.ok("folder", "%s does not exist yet; `kalends serve` creates it", folder)
}

// writable reports whether files can be created in a folder. It leaves none behind.
func writable(folder string) bool {
	file, err := os.CreateTemp(folder, ".doctor-*")
	if err != nil {
		return false
	}
	_ = file.Close()
	return os.Remove(file.Name()) == nil
}

// checkNetwork checks names and external servers.
func (p *program) checkNetwork(ctx context.Context, f *findings) {
	if name := "any-site." + p.config.PlatformDomain; p.config.PlatformDomain == "localhost" {
		f.ok("platform domain", "localhost, only for this machine")
	} else if _, err := net.DefaultResolver.LookupHost(ctx, name); err != nil {
		f.warn("platform domain", "%s does not resolve: sites need a wildcard record *.%s", name, p.config.PlatformDomain)
	} else {
		f.ok("platform domain", "sites of %s resolve", p.config.PlatformDomain)
	}
	if p.config.SMTPURL == "" {
		f.warn("mail", "KALENDS_SMTP_URL is not set: nobody can be invited or reset a forgotten password by e-mail")
		return
	}
	sender, err := mail.New(p.config.SMTPURL, p.config.MailFrom)
	if err != nil {
		return // already reported
	}
	if err := sender.Check(ctx); err != nil {
		f.fail("mail", "%v", err)
		return
	}
	f.ok("mail", "%s takes e-mail from %s", sender.Server(), p.config.MailFrom)
}

// checkZones reports the time zone data in use and whether stored instants were derived from it.
func (p *program) checkZones(ctx context.Context, f *findings) {
	from := "that of the program"
	if p.config.ZoneInfo != "" {
		from = "from " + p.config.ZoneInfo
	}
	f.ok("time zones", "data of %s, %s", args.ZoneVersion(), from)
	url, err := p.database()
	if err != nil {
		return // already reported
	}
	switch stored, err := storage.StoredZones(ctx, url); {
	case err != nil || stored == args.ZoneVersion(): // already reported, or nothing to report
	case stored == "":
		f.warn("stored times",
			"it is not known which time zone data they were computed with: run `kalends zones` once all nodes run this release")
	default:
		f.warn("stored times",
			"they were computed with data of %s: run `kalends zones` once all nodes have the data of %s", stored, args.ZoneVersion())
	}
}
