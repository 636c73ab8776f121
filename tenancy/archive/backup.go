package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// Backup is the manifest of a backup folder: the archive of every site, and an archive of the data that belongs to
// no site. Other files in the folder are not part of the backup.
type Backup struct {
	Format       int       `json:"format"`
	Kind         string    `json:"kind"` // "backup"
	Made         time.Time `json:"made"`
	Tables       string    `json:"tables"` // digest of the schema of a site
	Installation File      `json:"installation"`
	Sites        []Saved   `json:"sites"`
}

// File is one archive of a backup.
type File struct {
	Name   string `json:"file"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Saved is one site of a backup.
type Saved struct {
	Site Origin `json:"site"`
	File
	Kept bool `json:"-"` // the archive already existed, because the site is unchanged
}

// The files of a backup folder besides the archives.
const (
	kindBackup  = "backup"
	backupName  = "backup.json"
	partialName = "backup.partial.json" // manifest of an unfinished backup
	sitesFolder = "sites"
	savedAtOnce = 50 // sites between two saves of the progress
)

// Backup updates the backup in a folder. It skips sites whose version is already saved. The folder holds the
// previous backup until the new one is complete. The next call resumes an interrupted backup. It calls tell for
// each site.
func (s *Archives) Backup(ctx context.Context, dir string, tell func(*Saved)) (*Backup, error) {
	if !tenancy.ByProvider(ctx) {
		return nil, tenancy.ErrUnauthenticated
	}
	f, err := openFolder(dir, true)
	if err != nil {
		return nil, fmt.Errorf("backup: %w", err)
	}
	defer f.Close()
	b, err := s.backup(ctx, f, tell)
	if err != nil {
		return nil, fmt.Errorf("backup: %w", err)
	}
	return b, nil
}

func (s *Archives) backup(ctx context.Context, f *folder, tell func(*Saved)) (*Backup, error) {
	now, err := s.store.Overview(ctx)
	if err != nil {
		return nil, err
	}
	b := &Backup{Format: Format, Kind: kindBackup, Made: second(s.clock()), Tables: digestOf(now.Tables)}
	have, err := f.kept(b.Tables)
	if err != nil {
		return nil, err
	}
	b.Installation, err = f.put("installation", func(w io.Writer) error { return s.exportInstallation(ctx, w) })
	if err != nil {
		return nil, err
	}
	for i := range now.Sites {
		saved, err := s.save(ctx, f, &now.Sites[i], have)
		if errors.Is(err, tenancy.ErrNoSite) {
			continue // deleted meanwhile
		}
		if err != nil {
			return nil, err
		}
		b.Sites = append(b.Sites, *saved)
		tell(saved)
		if i%savedAtOnce == savedAtOnce-1 {
			if err := f.writeJSON(partialName, b); err != nil {
				return nil, err
			}
		}
	}
	if err := f.writeJSON(backupName, b); err != nil {
		return nil, err
	}
	return b, f.prune(b)
}

// save writes the archive of a site unless it exists.
func (s *Archives) save(ctx context.Context, f *folder, site *Origin, have map[string]Saved) (*Saved, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if kept, ok := have[site.Slug]; ok && kept.Site.same(site) && f.has(kept.File) {
		kept.Kept = true
		return &kept, nil
	}
	saved := &Saved{}
	file, err := f.put(sitesFolder+"/"+site.Slug, func(w io.Writer) error {
		made, err := s.Export(ctx, site.Slug, w, nil)
		if err == nil {
			saved.Site = *made.Site
		}
		return err
	})
	saved.File = file
	return saved, err
}

func (s *Archives) exportInstallation(ctx context.Context, w io.Writer) error {
	return s.store.ReadInstallation(ctx, func(ctx context.Context, now Snapshot) error {
		_, err := s.write(ctx, kindInstallation, now, w, nil)
		return err
	})
}

// digestOf returns a digest of the names of tables and their columns.
func digestOf(tables []Table) string {
	text, _ := json.Marshal(tables) //nolint:errchkjson,musttag // strings only; never parsed again
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// kept returns the sites already saved in the folder with the same schema.
func (f *folder) kept(tables string) (map[string]Saved, error) {
	have := map[string]Saved{}
	for _, name := range []string{backupName, partialName} {
		b, err := f.readBackup(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		case b.Tables != tables:
			continue
		}
		for _, saved := range b.Sites {
			have[saved.Site.Slug] = saved
		}
	}
	return have, nil
}

// readBackup reads the manifest of a backup.
func (f *folder) readBackup(name string) (*Backup, error) {
	text, err := f.root.ReadFile(name)
	if err != nil {
		return nil, err
	}
	b := &Backup{}
	if err := json.Unmarshal(text, b); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrDamaged, name, err)
	}
	switch {
	case b.Format > Format:
		return nil, fmt.Errorf("%w: it has format %d, this program reads %d", ErrTooNew, b.Format, Format)
	case b.Kind != kindBackup:
		return nil, fmt.Errorf("%w: %s does not belong to a backup", ErrNoArchive, name)
	}
	return b, nil
}
