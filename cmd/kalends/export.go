package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/feeds"
	"github.com/kalends/kalends/calendar/sheets"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

// exporter groups the commands that export events of a site.
type exporter struct {
	CSV exportCSV `cmd:"" name:"csv" help:"Export events and series to a CSV file that kalends import file can read."`
}

// exportCSV exports all events of a site except those in the trash or with a password. The file is written completely
// or not at all.
type exportCSV struct {
	File    string `arg:"" help:"The file; - for standard output."`
	Site    string `required:"" placeholder:"SLUG" help:"The site."`
	Excel   bool   `help:"Write the format that Excel opens in the language of the site."`
	Address string `help:"Base URL of the site, for image addresses."`
}

// Run implements the command.
func (c *exportCSV) Run(p *program) error {
	if err := checkOutput("<file>", c.File); err != nil {
		return err
	}
	base, err := url.Parse(c.Address)
	if c.Address != "" && (err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "") {
		return invalid(fmt.Errorf("--address is %q; it has to be a URL such as https://events.example.org", c.Address))
	}
	in, err := p.join(p.ctx)
	if err != nil {
		return err
	}
	defer in.close()
	ctx, err := in.administer(p.ctx, c.Site)
	if err != nil {
		return err
	}
	if c.File == "-" {
		return c.write(ctx, p, in, p.out)
	}
	return writeFile(c.File, func(w io.Writer) error { return c.write(ctx, p, in, w) })
}

// write writes the events, and reports on stderr what was omitted.
func (c *exportCSV) write(ctx context.Context, p *program, in *installation, w io.Writer) error {
	scope := tenancy.Current(ctx)
	origin := strings.TrimSuffix(cmp.Or(c.Address, "https://"+hostOf(scope.Site, p.config.PlatformDomain)), "/")
	out := bufio.NewWriter(w)
	left, err := sheets.WriteCSV(ctx, in.calendar.Events(), out, &calendar.EventFilter{}, sheets.Form{Excel: c.Excel,
		Semicolons: i18n.DecimalComma(scope.Site.Language),
		Picture:    func(image *calendar.Image) string { return feeds.PictureAddress(origin, image) }})
	if left > 0 {
		fmt.Fprintf(p.errs, "%d events with a password are left out\n", left)
	}
	return errors.Join(err, out.Flush())
}

// hostOf returns the host name of a site.
func hostOf(site *tenancy.Site, platform string) string {
	if len(site.Domains) > 0 {
		return site.Domains[0]
	}
	return site.Slug + "." + platform
}
