package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/kalends/kalends/tenancy"
)

// Export writes the archive of a site, which may be in any state and may stay in use. The archive is consistent
// with one version of the site. It returns the manifest, or tenancy.ErrNoSite.
func (s *Archives) Export(ctx context.Context, slug string, w io.Writer, progress Progress) (*Manifest, error) {
	site, err := s.sites.Get(ctx, slug)
	if err != nil {
		return nil, fmt.Errorf("export site %q: %w", slug, err)
	}
	inside, err := tenancy.Enter(ctx, site)
	if err != nil {
		return nil, err
	}
	var made *Manifest
	err = s.store.ReadSite(inside, func(ctx context.Context, now Snapshot) (err error) {
		made, err = s.write(ctx, kindSite, now, w, progress)
		return err
	})
	if err == nil {
		err = s.store.NoteExport(inside, made.Site.Version)
	}
	if err != nil {
		return nil, fmt.Errorf("export site %s: %w", slug, err)
	}
	return made, nil
}

// write writes the archive of a snapshot.
func (s *Archives) write(ctx context.Context, kind string, now Snapshot, w io.Writer, progress Progress) (*Manifest, error) {
	to := newWriter(w, &Manifest{Format: Format, Kind: kind, Made: second(s.clock()), Site: originOf(now.Site())}, progress)
	if progress != nil {
		total, err := now.Bytes(ctx)
		if err != nil {
			return nil, err
		}
		to.total = total
	}
	for _, t := range now.Tables() {
		err := to.table(t, func(yield func([]byte) error) error { return now.Rows(ctx, t.Name, yield) })
		if err != nil {
			return nil, err
		}
	}
	err := now.Blobs(ctx, func(key, file string) error { return s.copyBlob(ctx, to, key, file) })
	if err != nil {
		return nil, err
	}
	return to.manifest, to.close()
}

// copyBlob writes a blob into the archive. If the blob is missing, it is listed in the manifest: its image has been
// deleted since the snapshot, or the file was lost earlier.
func (s *Archives) copyBlob(ctx context.Context, to *writer, key, file string) error {
	name := blobName(key, file)
	r, err := s.blobs.Read(ctx, key, file)
	if errors.Is(err, fs.ErrNotExist) {
		to.manifest.Missing = append(to.manifest.Missing, name)
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer r.Close()
	return to.blob(ctx, name, r)
}
