package main

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/kalends/kalends/media"
)

// blobs returns the store for files: the configured bucket or a folder. It does not contact the bucket.
func (c *Config) blobs() (media.Store, error) {
	if c.MediaURL != "" {
		return c.bucket()
	}
	dir, err := c.dataDir()
	if err != nil {
		return nil, err
	}
	disk, err := media.NewDisk(filepath.Join(dir, "media"))
	if err != nil {
		return nil, fmt.Errorf("open the image store: %w", err)
	}
	return disk, nil
}

func (c *Config) bucket() (*media.S3, error) {
	config, err := media.ParseS3(c.MediaURL)
	if err != nil {
		return nil, fmt.Errorf("KALENDS_MEDIA_URL: %w", err)
	}
	s3, err := media.NewS3(config)
	if err != nil {
		return nil, fmt.Errorf("KALENDS_MEDIA_URL: %w", err)
	}
	return s3, nil
}

// bucketWatch caches the state of the bucket, because checking it is a request, and load balancers check often.
type bucketWatch struct {
	bucket interface {
		Answers(ctx context.Context) error
	}
	clock func() time.Time
	told  func(error)

	mu   sync.Mutex
	seen time.Time
	why  string
}

// probe returns what is wrong with the bucket.
func (w *bucketWatch) probe(ctx context.Context) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if now := w.clock(); now.Sub(w.seen).Abs() > fresh {
		w.seen, w.why = now, ""
		if err := w.bucket.Answers(ctx); err != nil {
			w.why = "their storage doesn't answer as it should; everything else goes on"
			w.told(err)
		}
	}
	return w.why
}

// checkPictures checks the bucket by writing, reading and removing a file.
func (p *program) checkPictures(ctx context.Context, f *findings) {
	if p.config.MediaURL == "" {
		return // checkOwner and checkFolder look at the folder
	}
	s3, err := p.config.bucket()
	if err != nil {
		return // already reported
	}
	if err = s3.Answers(ctx); err == nil {
		err = media.Probe(ctx, s3)
	}
	if err != nil {
		f.fail("pictures", "%s: check KALENDS_MEDIA_URL, that the bucket is there, and that the key may read, write, list and delete in it",
			withoutAddress(err, p.config.MediaURL))
		return
	}
	f.ok("pictures", "the bucket can be written, read and cleared")
}
