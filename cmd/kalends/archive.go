package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/kalends/kalends/internal/args"
	platformstore "github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/archive"
	"github.com/kalends/kalends/tenancy/platform"
)

// siteExport writes the archive of a site.
type siteExport struct {
	Slug string `arg:"" help:"The site."`
	File string `arg:"" optional:"" help:"Output file; - for standard output. Default: SLUG.kalends.zip."`

	Progress bool `help:"Show progress."`
}

// Run implements the command. The file only appears once it is complete.
func (c *siteExport) Run(p *program) error {
	name := cmp.Or(c.File, c.Slug+".kalends.zip")
	if err := checkOutput("<file>", name); err != nil {
		return err
	}
	in, err := p.join(p.ctx)
	if err != nil {
		return err
	}
	defer in.close()
	if c.File == "-" {
		_, err := in.archives.Export(provider(p.ctx), c.Slug, p.out, p.progress(c.Progress))
		return err
	}
	made, err := in.exportTo(provider(p.ctx), c.Slug, name, p.progress(c.Progress))
	if err != nil {
		return err
	}
	return p.print(describeArchive(name, made))
}

// progress returns a function that reports the progress of an archive on stderr, one line per percent, or nil if that
// is not wanted.
func (p *program) progress(wanted bool) archive.Progress {
	if !wanted {
		return nil
	}
	said := int64(-1)
	return func(done, total int64) {
		if percent := 100 * done / max(total, 1); percent > said {
			said = percent
			fmt.Fprintf(p.errs, "%d%% (%d of %d bytes)\n", percent, done, total)
		}
	}
}

func (in *installation) exportTo(ctx context.Context, slug, name string, progress archive.Progress) (made *archive.Manifest, err error) {
	err = writeFile(name, func(w io.Writer) (err error) {
		made, err = in.archives.Export(ctx, slug, w, progress)
		return err
	})
	return made, err
}

// become is the set of changes to an imported site.
type become struct {
	Slug   *string  `help:"Another slug. The site then gets only the domains given here; otherwise it keeps those it had."`
	Name   *string  `help:"Another name."`
	Domain []string `means:"domains" help:"Other domains."`
}

// fields parses the changes with the rules of the interface.
func (b *become) fields(p *program) (*platform.SiteFields, error) {
	values := args.Values{}
	give(values, "slug", b.Slug)
	give(values, "name", b.Name)
	if len(b.Domain) > 0 {
		values["domains"] = entries(b.Domain)
	}
	return p.siteFields(values, args.Updating)
}

// siteImport creates a site from an archive.
type siteImport struct {
	File   string `arg:"" help:"The archive; - for standard input."`
	DryRun bool   `help:"Check everything but store nothing."`
	become

	Progress bool `help:"Show progress."`
}

// Run implements the command.
func (c *siteImport) Run(p *program) error {
	fields, err := c.fields(p)
	if err != nil {
		return err
	}
	file, err := c.open()
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	return p.with(func(ctx context.Context, in *installation) (any, error) {
		if c.DryRun {
			site, err := in.archives.Trial().Import(ctx, file, info.Size(), fields, p.progress(c.Progress))
			return tried(site), err
		}
		site, err := in.archives.Import(ctx, file, info.Size(), fields, p.progress(c.Progress))
		return p.describe(site), err
	})
}

// open opens the archive. Standard input is copied to an unlinked file first, because the archive is read more than
// once.
func (c *siteImport) open() (*os.File, error) {
	if c.File != "-" {
		return openInput("<file>", c.File)
	}
	file, err := os.CreateTemp("", "kalends-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(file.Name()); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if _, err := io.Copy(file, os.Stdin); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// backup saves every site, and the data that belong to no site, to a folder.
type backup struct {
	Dir string `arg:"" help:"The backup folder. Sites that have not changed since the last backup are skipped."`
}

// Run implements the command.
func (c *backup) Run(p *program) error {
	if err := checkFolder("<dir>", c.Dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err // one that does not exist will be created
	}
	return p.with(func(ctx context.Context, in *installation) (any, error) {
		kept := 0
		made, err := in.archives.Backup(ctx, c.Dir, func(s *archive.Saved) {
			if s.Kept {
				kept++
				return
			}
			fmt.Fprintf(p.errs, "%s: version %d, %d bytes\n", s.Site.Slug, s.Site.Version, s.Bytes)
		})
		if err == nil {
			err = platformstore.BackedUp(ctx, in.db.Engine())
		}
		if err != nil {
			return nil, err
		}
		return map[string]any{"folder": c.Dir, "sites": len(made.Sites), "unchanged": kept}, nil
	})
}

// restore restores a backup, or one site of it.
type restore struct {
	Dir    string `arg:"" help:"The backup folder."`
	DryRun bool   `help:"Check everything but store nothing."`
	Site   string `help:"Restore only this site, under its own slug or the one given."`
	become
}

// Run implements the command.
func (c *restore) Run(p *program) error {
	if c.Site == "" && (c.Slug != nil || c.Name != nil || len(c.Domain) > 0) {
		return invalid(errors.New("use --site to say which site gets another slug, name or domain"))
	}
	fields, err := c.fields(p)
	if err != nil {
		return err
	}
	if err := checkFolder("<dir>", c.Dir); err != nil {
		return err
	}
	return p.with(func(ctx context.Context, in *installation) (any, error) {
		archives := in.archives
		if c.DryRun {
			archives = archives.Trial()
		}
		if c.Site != "" {
			site, err := archives.RestoreSite(ctx, c.Dir, c.Site, fields)
			if c.DryRun {
				return tried(site), err
			}
			return p.describe(site), err
		}
		there := 0
		made, err := archives.Restore(ctx, c.Dir, func(s *archive.Saved) {
			if s.Kept {
				there++
				return
			}
			fmt.Fprintf(p.errs, "%s: version %d\n", s.Site.Slug, s.Site.Version)
		})
		if err != nil {
			return nil, err
		}
		result := map[string]any{"folder": c.Dir, "made": made.Made, "sites": len(made.Sites), "there_already": there}
		if c.DryRun {
			result["dry_run"] = true
		}
		return result, nil
	})
}

// tried returns the output for a site that a dry run would create.
func tried(s *tenancy.Site) any {
	if s == nil {
		return nil
	}
	return map[string]any{"dry_run": true, "slug": s.Slug, "name": s.Name, "domains": s.Domains, "plan": s.Plan.Name}
}

// describeArchive returns the output for an archive.
func describeArchive(name string, m *archive.Manifest) any {
	rows := map[string]int64{}
	for i := range m.Members {
		if table := m.Members[i].Table(); table != "" {
			rows[table] = m.Members[i].Rows
		}
	}
	return map[string]any{"file": name, "site": m.Site.Slug, "version": m.Site.Version, "rows": rows, "blobs": m.Blobs(),
		"missing": len(m.Missing)}
}
