package main

import (
	"context"
	"fmt"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar/sheets"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// importer groups the commands that import events into a site.
type importer struct {
	CSV importCSV `cmd:"" name:"csv" help:"Import events from a CSV file with the columns of The Events Calendar."`
}

// importCSV imports a file. It fails if the file cannot be read to the end, if none of it is on the site afterwards,
// or if rows are rejected. Rejected rows are reported but do not prevent importing the others.
type importCSV struct {
	File   string `arg:"" help:"The file."`
	Site   string `required:"" placeholder:"SLUG" help:"The site."`
	DryRun bool   `help:"Check everything but store nothing."`
}

// Run implements the command.
func (c *importCSV) Run(p *program) error {
	file, err := openInput("<file>", c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	in, err := p.join(p.ctx)
	if err != nil {
		return err
	}
	defer in.close()
	ctx, err := in.administer(p.ctx, c.Site)
	if err != nil {
		return err
	}
	read := &counter{from: file}
	source, err := sheets.NewCSV(read, tenancy.Current(ctx).Site.Others()...)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	shown := p.showImport(file, read, source)
	report, err := sheets.Import(ctx, in.calendar, in.db.Events(), source, sheets.Options{DryRun: c.DryRun,
		Refused: shown.refused, Noted: shown.noted, Progress: shown.progress})
	shown.summary(report, c.DryRun)
	switch {
	case err != nil:
		return err
	case report.Created+report.Dates+report.Unchanged == 0:
		return fmt.Errorf("%s: nothing could be imported", c.File)
	case report.Refused > 0:
		return fmt.Errorf("%s: %d of %d rows were refused", c.File, report.Refused, report.Read)
	}
	return nil
}

// administer returns a context on a site that acts as its first administrator, or as nobody in particular if there is
// none.
func (in *installation) administer(ctx context.Context, slug string) (context.Context, error) {
	ctx, err := in.enter(ctx, slug)
	if err != nil {
		return nil, err
	}
	var first *tenancy.User
	for number := 1; ; number++ {
		filter := &accounts.UserFilter{Filter: tenancy.Filter{Page: args.Some(number), PerPage: args.Some(50)}}
		page, err := in.platform.Users.List(ctx, filter)
		if err != nil {
			return nil, err
		}
		for _, user := range page.Items {
			if user.Role == tenancy.Administrator && (first == nil || user.ID < first.ID) {
				first = user
			}
		}
		if len(page.Items) < 50 {
			break
		}
	}
	if first == nil {
		return ctx, nil
	}
	scope := *tenancy.Current(ctx)
	scope.Principal = first.Principal()
	return tenancy.With(ctx, scope), nil
}
