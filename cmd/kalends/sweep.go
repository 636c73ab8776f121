package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/media"
	"github.com/kalends/kalends/storage"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/jobs"
)

// janitor returns the janitor that removes unreferenced files.
func janitor(blobs media.Store, db *storage.DB) *media.Janitor {
	return &media.Janitor{Blobs: blobs, Now: db.Identity,
		Named: func(ctx context.Context, site string, ids []string) ([]string, error) {
			return naming(ctx, db, site, ids)
		}}
}

// naming returns the referenced folders of a site, of jobs, or of the doctor. Other files are not ours and are
// kept.
func naming(ctx context.Context, db *storage.DB, site string, ids []string) ([]string, error) {
	if id, err := strconv.ParseInt(site, 10, 64); err == nil {
		return db.PictureKeys(ctx, id, ids)
	}
	if rest, ok := strings.CutPrefix(site, "job-"); ok {
		number, _, _ := strings.Cut(rest, "-")
		if id, err := strconv.ParseInt(number, 10, 64); err == nil {
			_, err := db.Jobs().Get(ctx, id)
			if errors.Is(err, jobs.ErrNoJob) {
				return nil, nil
			}
			return ids, err
		}
	}
	if site == "doctor" {
		return nil, nil
	}
	return ids, nil
}

// sweep removes unreferenced files. It is called hourly; the janitor ensures that only one node per day does it.
func (in *installation) sweep(ctx context.Context, _ time.Time) {
	swept, err := in.janitor.Sweep(tenancy.AsProvider(ctx, tenancy.Provider{Scheduled: true}))
	in.metrics.Swept(swept.Files, swept.Bytes, err)
	switch {
	case err != nil && ctx.Err() == nil:
		in.logger.Warn("remove unused files", "error", err)
	case swept.Files > 0:
		in.logger.Info("unused files removed", "files", swept.Files, "bytes", swept.Bytes)
	}
}

// tone tells the dominant colors of pictures from before pictures had them. Any number of nodes may do so concurrently.
func (in *installation) tone(ctx context.Context, _ time.Time) {
	pictures, ok, err := in.db.ToneLater(ctx, in.pictures.Tone)
	if err != nil && ctx.Err() == nil {
		in.logger.Warn("tell colors of pictures", "error", err)
	}
	if ok && err == nil && pictures > 0 {
		in.logger.Info("colors of pictures told", "pictures", pictures)
	}
}

// checkOwner checks who owns the files.
func (p *program) checkOwner(ctx context.Context, f *findings) {
	url, err := p.database()
	if err != nil {
		return // already reported
	}
	if dir, err := p.config.dataDir(); p.config.MediaURL == "" && err == nil {
		if _, err := os.Stat(filepath.Join(dir, "media")); err != nil {
			return // as above; opening it would create it
		}
	}
	blobs, err := p.config.blobs()
	if err != nil {
		return // as above
	}
	db, err := storage.Open(ctx, url, storage.Options{MaxConns: 1})
	if err != nil {
		return // as above
	}
	defer db.Close()
	switch err := janitor(blobs, db).Check(ctx); {
	case errors.Is(err, media.ErrForeign):
		f.warn("owner of files", "the files belong to another database, so unused files are not removed: give each database its own "+
			"folder or prefix, or remove sweep/0/owner from the files if this database has replaced that one")
	case err == nil:
		f.ok("owner of files", "this database")
	}
	switch err := media.CheckMark(ctx, blobs, db); {
	case errors.Is(err, media.ErrOtherStore):
		f.fail("pictures", "%s", otherStore)
	case err == nil && p.config.MediaURL == "":
		f.ok("pictures", "in the folder that the installation knows; several nodes need a folder that all of them can write to, "+
			"or KALENDS_MEDIA_URL")
	}
}

// otherStore explains what to do if a node stores pictures in a different place than the others.
const otherStore = "other nodes keep the pictures in another folder or bucket, so half of them are missing here: mount the folder that " +
	"they use, or use one bucket (KALENDS_MEDIA_URL) on all nodes. If this place has replaced that one, copy its files with sweep/0/mark"
