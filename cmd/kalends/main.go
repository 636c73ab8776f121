// Kalends is a hosted event calendar for many sites in one installation. This program is both the service and its
// command line.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"go.opentelemetry.io/otel/trace"

	"github.com/kalends/kalends/internal/args"
)

func main() {
	err := runIn(untilSignal(), os.Args[1:], osVariables(), os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "kalends: "+readable(err, nil))
	}
	os.Exit(exitCode(err))
}

// errTyped is the cause of the context's end if the program is interrupted at a terminal, where someone is waiting.
var errTyped = errors.New("interrupted")

// untilSignal returns a context that ends with the first termination signal. A second one ends the program
// immediately.
func untilSignal() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		var why error
		if <-signals == os.Interrupt {
			why = errTyped
		}
		signal.Stop(signals)
		cancel(why)
	}()
	return ctx
}

// commands defines the command line.
type commands struct {
	Config `group:"Settings, by flag or by environment:"`

	Output string `default:"json" enum:"json,table" help:"json, or table for people."`
	Quiet  bool   `help:"No progress, only results and errors."`

	Serve   serve        `cmd:"" help:"Run the service."`
	Migrate migrate      `cmd:"" help:"Migrate the database to the newest schema."`
	Site    siteCommand  `cmd:"" help:"Create, list, show and delete sites."`
	Plan    planCommand  `cmd:"" help:"List, show, set and delete plans."`
	User    userCommand  `cmd:"" help:"Create, list, show, change and delete users of a site."`
	Key     keyCommand   `cmd:"" help:"List and revoke application passwords and API keys of a site."`
	Token   tokenCommand `cmd:"" help:"Create, list and revoke provider tokens."`
	Import  importer     `cmd:"" help:"Import events into a site."`
	Export  exporter     `cmd:"" help:"Export the events of a site."`
	Zones   zonesCommand `cmd:"" help:"Recalculate stored times after time zone data has changed."`
	Ready   readyCommand `cmd:"" help:"Check whether the service on this machine is ready."`
	Doctor  doctor       `cmd:"" help:"Check everything the service needs and say what to fix."`
	Backup  backup       `cmd:"" help:"Back up the whole installation to a folder."`
	Restore restore      `cmd:"" help:"Restore a whole backup or one site of it."`

	Completion completion `cmd:"" hidden:"" help:"Print what a shell needs to complete commands."`

	I18n    i18nCommand    `cmd:"" name:"i18n" help:"Check the texts of the interface, for translators."`
	Version versionCommand `cmd:"" help:"Print the version."`
}

// program is what commands share, such as input and output.
type program struct {
	ctx    context.Context
	getenv func(string) string
	out    io.Writer
	errs   io.Writer
	config *Config
	tracer trace.Tracer // nil disables tracing

	table    bool          // results are tables
	patience time.Duration // for a Postgres that is starting
}

// run is the whole program in an environment whose variables cannot be listed.
func run(ctx context.Context, arguments []string, getenv func(string) string, out, errs io.Writer) error {
	return runIn(ctx, arguments, variables{getenv, func() []string { return nil }}, out, errs)
}

// runIn is the whole program.
func runIn(ctx context.Context, arguments []string, env variables, out, errs io.Writer) error {
	var c commands
	settings := readEnvironment(env)
	exit := -1
	parser, err := kong.New(&c, kong.Name("kalends"), kong.Writers(out, errs), kong.Exit(func(code int) { exit = code }),
		kong.Description("A hosted event calendar for many sites in one installation."),
		kong.Resolvers(settings), kong.Help(help),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}))
	if err != nil {
		return err
	}
	parsed, err := parser.Parse(arguments)
	if exit >= 0 {
		return nil // help was requested and printed
	}
	if err != nil {
		return err
	}
	c.Proxies, c.FetchHosts, c.ImportHosts = trimmed(c.Proxies), trimmed(c.FetchHosts), trimmed(c.ImportHosts)
	c.ConsoleEmails, c.ConsoleGroups = trimmed(c.ConsoleEmails), trimmed(c.ConsoleGroups)
	c.settleDefaultSite()
	if c.ZoneInfo != "" {
		if err := args.UseZoneInfo(c.ZoneInfo); err != nil {
			settings.note(fmt.Errorf("ZONEINFO is %s: %w", c.ZoneInfo, err))
		}
	}
	settings.finish()
	c.problems, c.odd = settings.problems, settings.odd
	p := &program{ctx: ctx, getenv: env.get, out: out, errs: errs, config: &c.Config, table: c.Output == "table"}
	if c.Quiet && parsed.Command() != "serve" { // whose log is no progress
		p.errs = io.Discard
	}
	err = parsed.Run(p)
	return asTyped(err, parsed.Selected())
}

// help prints the usage of a command. The settings, which all commands share, are listed only in the help of serve,
// because they would fill more than a screen. --help itself is not listed, because the reader knows it.
func help(options kong.HelpOptions, ctx *kong.Context) error {
	settings := ctx.Selected() != nil && ctx.Selected().Name == "serve"
	for _, flag := range ctx.Model.Flags {
		flag.Hidden = !settings
	}
	if err := kong.DefaultHelpPrinter(options, ctx); err != nil || settings {
		return err
	}
	if ctx.Selected() != nil {
		_, _ = fmt.Fprintln(ctx.Stdout)
	}
	_, err := fmt.Fprintln(ctx.Stdout,
		"Every command takes the settings of the service: see kalends serve --help.")
	return err
}

// trimmed removes spaces around list entries, as after commas.
func trimmed(list []string) []string {
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}
