package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/kalends/kalends/internal/embedded"
	"github.com/kalends/kalends/internal/mail"
	"github.com/kalends/kalends/storage"
)

// Config holds all settings, from flags or the environment.
type Config struct {
	Addr           string        `config:"KALENDS_ADDR" default:"127.0.0.1:8080" help:"Address to listen on ($$KALENDS_ADDR)."`
	DataDir        string        `config:"KALENDS_DATA_DIR" help:"Folder for the embedded database and images ($$KALENDS_DATA_DIR)."`
	DatabaseURL    string        `config:"DATABASE_URL" secret:"" help:"Postgres to use instead of the embedded one ($$DATABASE_URL)."`
	MediaURL       string        `config:"KALENDS_MEDIA_URL" secret:"" help:"Bucket for images, https://KEY:SECRET@HOST/BUCKET; default: the data folder ($$KALENDS_MEDIA_URL)."`
	RedisURL       string        `config:"REDIS_URL" secret:"" help:"Redis to use as a cache ($$REDIS_URL)."`
	PlatformDomain string        `config:"KALENDS_PLATFORM_DOMAIN" default:"localhost" help:"Sites answer at {slug}.{domain} ($$KALENDS_PLATFORM_DOMAIN)."`
	DefaultSite    string        `config:"KALENDS_DEFAULT_SITE" help:"Site for hosts that belong to no site; without one, the platform's own domain lists sites ($$KALENDS_DEFAULT_SITE). Default: demo on localhost, otherwise none."`
	Demo           string        `config:"KALENDS_DEMO" default:"auto" enum:"auto,yes,no" help:"Whether the first run creates a site with sample events; auto: only if the platform is localhost ($$KALENDS_DEMO)."`
	ProviderToken  string        `config:"KALENDS_PROVIDER_TOKEN" secret:"" help:"Token for the provider's API ($$KALENDS_PROVIDER_TOKEN)."`
	ConsoleIssuer  string        `config:"KALENDS_CONSOLE_ISSUER" help:"OpenID Connect provider by which people sign in to the provider's console ($$KALENDS_CONSOLE_ISSUER)."`
	ConsoleClient  string        `config:"KALENDS_CONSOLE_CLIENT_ID" help:"Name of the console at that provider ($$KALENDS_CONSOLE_CLIENT_ID)."`
	ConsoleSecret  string        `config:"KALENDS_CONSOLE_CLIENT_SECRET" secret:"" help:"Secret of the console at that provider ($$KALENDS_CONSOLE_CLIENT_SECRET)."`
	ConsoleEmails  []string      `config:"KALENDS_CONSOLE_EMAILS" help:"Verified e-mail addresses that may sign in to the console ($$KALENDS_CONSOLE_EMAILS)."`
	ConsoleGroups  []string      `config:"KALENDS_CONSOLE_GROUPS" help:"Groups of the provider that may sign in to the console ($$KALENDS_CONSOLE_GROUPS)."`
	ConsoleClaim   string        `config:"KALENDS_CONSOLE_GROUPS_CLAIM" default:"groups" help:"What the provider calls the groups of a person ($$KALENDS_CONSOLE_GROUPS_CLAIM)."`
	AdminPassword  string        `config:"KALENDS_ADMIN_PASSWORD" secret:"" help:"Password of the first administrator ($$KALENDS_ADMIN_PASSWORD)."`
	Proxies        []string      `config:"KALENDS_TRUSTED_PROXIES" help:"Proxies whose forwarded headers are trusted ($$KALENDS_TRUSTED_PROXIES)."`
	FetchHosts     []string      `config:"KALENDS_FETCH_HOSTS" help:"Private hosts that images may be fetched from, webhooks may be sent to, and people may sign in with ($$KALENDS_FETCH_HOSTS)."`
	ImportHosts    []string      `config:"KALENDS_IMPORT_HOSTS" help:"Private hosts, and hosts without TLS, that files may be imported from ($$KALENDS_IMPORT_HOSTS)."`
	SMTPURL        string        `name:"smtp-url" config:"KALENDS_SMTP_URL" secret:"" help:"Mail server, smtp://user:password@host:port or smtps://…; without one, no e-mail is sent ($$KALENDS_SMTP_URL)."`
	MailFrom       string        `config:"KALENDS_MAIL_FROM" help:"Sender address of e-mail, such as Calendar <calendar@example.org> ($$KALENDS_MAIL_FROM)."`
	CacheBytes     int           `config:"KALENDS_CACHE_BYTES" default:"50331648" help:"Bytes of answers kept in memory, 0 for none ($$KALENDS_CACHE_BYTES)."`
	KeyRequests    int           `config:"KALENDS_REQUESTS_PER_KEY" default:"0" help:"Requests per minute for one key or password; 0 for no limit ($$KALENDS_REQUESTS_PER_KEY)."`
	HistoryDays    int           `config:"KALENDS_HISTORY_DAYS" default:"0" help:"Days of history to keep, 30 or more; 0 keeps it forever ($$KALENDS_HISTORY_DAYS)."`
	ImportBytes    int64         `config:"KALENDS_IMPORT_BYTES" default:"2147483648" help:"Maximum size in bytes of an archive sent over HTTP ($$KALENDS_IMPORT_BYTES)."`
	LogFormat      string        `config:"KALENDS_LOG_FORMAT" default:"auto" enum:"auto,json,text" help:"Log format; auto is text on a terminal, otherwise json ($$KALENDS_LOG_FORMAT)."`
	LogLevel       string        `config:"KALENDS_LOG_LEVEL" default:"info" enum:"debug,info,warn,error" help:"Lowest level to log ($$KALENDS_LOG_LEVEL)."`
	MetricsAddr    string        `config:"KALENDS_METRICS_ADDR" help:"Address for Prometheus; :9090 is reachable only from this machine; without one, no metrics ($$KALENDS_METRICS_ADDR)."`
	Traces         string        `config:"OTEL_EXPORTER_OTLP_ENDPOINT" help:"OpenTelemetry collector to send traces to over HTTP; without one, no traces ($$OTEL_EXPORTER_OTLP_ENDPOINT)."`
	Drain          time.Duration `config:"KALENDS_DRAIN" default:"5s" help:"How long to keep answering after SIGTERM while /readyz announces the stop ($$KALENDS_DRAIN)."`
	ZoneInfo       string        `name:"zoneinfo" config:"ZONEINFO" help:"Folder or archive of compiled time zones to use instead of the program's own ($$ZONEINFO)."`
	Connections    int32         `config:"KALENDS_DATABASE_CONNECTIONS" default:"8" help:"Maximum number of connections to Postgres ($$KALENDS_DATABASE_CONNECTIONS)."`

	problems []error  // values of the environment that cannot be read
	odd      []string // variables that are probably not meant
}

// systemDir is the data directory if the service runs as root. Postgres then runs as another user, who cannot enter
// root's home.
const systemDir = "/var/lib/kalends"

// dataDir returns the data directory: by default below the user's home, or systemDir for root unless root's home
// already contains data.
func (c *Config) dataDir() (string, error) {
	if c.DataDir != "" {
		return filepath.Abs(c.DataDir)
	}
	home, err := os.UserHomeDir()
	if err != nil && os.Geteuid() != 0 {
		return "", fmt.Errorf("no home folder for the data, set KALENDS_DATA_DIR: %w", err)
	}
	own := filepath.Join(home, ".local", "share", "kalends")
	if os.Geteuid() == 0 && (home == "" || !hasData(own)) {
		return systemDir, nil
	}
	return own, nil
}

// hasData reports whether a folder contains a database or images.
func hasData(dir string) bool {
	for _, name := range []string{"pgdata", "media"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// Safe returns the configuration without secrets for the log.
func (c *Config) Safe() slog.Value {
	database := "embedded"
	if c.DatabaseURL != "" {
		database = "given"
	}
	return slog.GroupValue(slog.String("addr", c.Addr), slog.String("database", database),
		slog.Bool("redis", c.RedisURL != ""), slog.Bool("bucket", c.MediaURL != ""),
		slog.String("platform", c.PlatformDomain), slog.String("default_site", c.DefaultSite),
		slog.Bool("provider_token", c.ProviderToken != ""), slog.String("console_issuer", c.ConsoleIssuer),
		slog.String("proxies", strings.Join(c.Proxies, " ")),
		slog.Bool("mail", c.SMTPURL != ""), slog.String("mail_from", c.MailFrom))
}

// post returns the mail sender, or nil if none is configured.
func (c *Config) post() (*mail.Sender, error) {
	if c.SMTPURL == "" {
		return nil, nil //nolint:nilnil // email is optional
	}
	if c.MailFrom == "" {
		return nil, errors.New("KALENDS_MAIL_FROM is missing: set the sender address of e-mail")
	}
	sender, err := mail.New(c.SMTPURL, c.MailFrom)
	if err != nil {
		return nil, fmt.Errorf("KALENDS_SMTP_URL and KALENDS_MAIL_FROM: %w", err)
	}
	return sender, nil
}

func (c *Config) level() slog.Level {
	var level slog.Level
	_ = level.UnmarshalText([]byte(c.LogLevel)) // the flag's enum validates it
	return level
}

// Headroom of the garbage collector: how much memory, in addition to the caches, is used before collecting more
// aggressively. The garbage of a response lives for milliseconds, so that collecting rarely costs little memory and
// saves a quarter of the work. If the data remembered about thousands of sites leaves too little headroom, the
// collector takes half of the processors.
const (
	collectAt = 400
	workspace = 38 << 20
	leastKept = 32 << 20 // minimum that the collector assumes for the caches
)

// limitMemory configures the garbage collector for a service, unless GOGC or GOMEMLIMIT are set.
func (c *Config) limitMemory(getenv func(string) string) {
	if getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	if getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(max(c.CacheBytes, leastKept) + c.linkBytes() + workspace))
	}
}

// memory returns the memory available to this process in bytes: that of the machine or container, less a quarter for
// a private Postgres, or GOMEMLIMIT if that is less. It returns 0 if unknown.
func memory(getenv func(string) string, private bool) int64 {
	most := embedded.Memory()
	if private {
		most -= most / 4
	}
	if limit := debug.SetMemoryLimit(-1); getenv("GOMEMLIMIT") != "" && (most == 0 || limit < most) {
		return limit
	}
	return most
}

// linkBytes returns the memory for cached links of events. It is a third of that for responses, so that a single
// setting scales both.
func (c *Config) linkBytes() int { return max(c.CacheBytes/3, storage.LinkBytes) }
