package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// importer groups the commands that import events into a site.
type importer struct {
	File importFile `cmd:"" name:"file" aliases:"csv" help:"Import events from a calendar file, a table (CSV, XLSX), JSON, or a page with events."`
}

// importFile imports a file. It fails if the file cannot be read, if none of it is on the site afterwards, or if
// entries are refused. Refused entries are reported but do not prevent importing the others.
type importFile struct {
	File   string `arg:"" help:"The file."`
	Site   string `required:"" placeholder:"SLUG" help:"The site."`
	DryRun bool   `help:"Check everything but store nothing."`
}

// Run implements the command.
func (c *importFile) Run(p *program) error {
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
	shown := p.showImport()
	i, err := in.importFile(ctx, c, file, shown)
	if err != nil {
		return err
	}
	counts := i.Counts
	if i.Problem == nil || counts.Read > 0 {
		if err := shown.report(ctx, in.imports, i); err != nil {
			return err
		}
	}
	switch {
	case i.Problem != nil:
		return fmt.Errorf("%s: %s", c.File, i18n.Text("en", "error."+i.Problem.Code, i.Problem.Data))
	case i.State == imports.Cancelled:
		return fmt.Errorf("%s: the import was cancelled", c.File)
	case counts.Read == counts.Refused:
		return fmt.Errorf("%s: nothing could be imported", c.File)
	case counts.Refused > 0:
		return fmt.Errorf("%s: %d of %d entries were refused", c.File, counts.Refused, counts.Read)
	}
	return nil
}

// importFile starts the import of a file and waits until it has ended. If the command is interrupted, it cancels
// the import.
func (in *installation) importFile(ctx context.Context, c *importFile, file io.Reader, shown *importShow) (*imports.Import, error) {
	i, err := in.imports.Start(ctx, &imports.Fields{DryRun: args.Some(c.DryRun)}, args.Values{"dry_run": c.DryRun},
		&imports.Upload{Name: filepath.Base(c.File), Content: file})
	if err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- in.workOn(ctx, i.ID) }()
	look := time.NewTicker(lookAtImport)
	defer look.Stop()
	for {
		select {
		case err := <-ended:
			if ctx.Err() != nil {
				_, failed := in.imports.Remove(context.WithoutCancel(ctx), i.ID)
				return nil, errors.Join(ctx.Err(), failed)
			}
			if err != nil {
				return nil, err
			}
			return in.imports.Get(ctx, i.ID)
		case <-look.C:
			if now, err := in.imports.Get(ctx, i.ID); err == nil {
				shown.progress(now)
			}
		}
	}
}

// workOn works on the imports of the scope's site until one of them has ended, unless services are faster.
func (in *installation) workOn(ctx context.Context, id int64) error {
	for {
		if _, err := in.imports.WorkOn(ctx, tenancy.Current(ctx).Site.ID); err != nil {
			return err
		}
		i, err := in.imports.Get(ctx, id)
		if err != nil || i.Ended() {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lookAtImport): // another import of the site runs elsewhere
		}
	}
}

// lookAtImport is how often the progress of an import is looked at.
const lookAtImport = 500 * time.Millisecond

// administer returns a context on a site that acts as its first administrator, or as the provider if there is none.
func (in *installation) administer(ctx context.Context, slug string) (context.Context, error) {
	ctx, err := in.enter(ctx, slug)
	if err != nil {
		return nil, err
	}
	var first *tenancy.User
	filter := &accounts.UserFilter{Filter: tenancy.Filter{Paging: args.Paging{PerPage: args.Some(50)}}}
	err = everyPage(&filter.Paging, func() (tenancy.Page[tenancy.User], error) { return in.platform.Users.List(ctx, filter) },
		func(user *tenancy.User) {
			if user.Role == tenancy.Administrator && (first == nil || user.ID < first.ID) {
				first = user
			}
		})
	if err != nil || first == nil {
		return ctx, err
	}
	scope := *tenancy.Current(ctx)
	scope.Principal = first.Principal()
	return tenancy.With(ctx, scope), nil
}
