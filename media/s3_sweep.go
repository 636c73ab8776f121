package media

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
)

// Sweep implements Store. It lists all blobs, a thousand at a time.
func (s *S3) Sweep(ctx context.Context, before time.Time, named Named) (Swept, error) {
	w := &sweeper{before: before, named: named, remove: func(ctx context.Context, name string) error {
		return s.client.RemoveObject(ctx, s.bucket, s.name(name), minio.RemoveObjectOptions{})
	}}
	err := s.walk(ctx, w)
	if err == nil {
		err = w.flush(ctx)
	}
	if err = errors.Join(err, s.abandon(ctx, before)); err != nil {
		return w.done, fmt.Errorf("sweep blobs: %w", err)
	}
	return w.done, nil
}

func (s *S3) walk(ctx context.Context, w *sweeper) error {
	ctx, cancel := context.WithCancel(ctx) // ends the listing if something fails
	defer cancel()
	for object := range s.client.ListObjectsIter(ctx, s.bucket, minio.ListObjectsOptions{Prefix: s.within(), Recursive: true}) {
		if object.Err != nil {
			return object.Err
		}
		name := strings.TrimPrefix(object.Key, s.within())
		if err := w.add(ctx, file{name, object.Size, object.LastModified}); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// abandon aborts multipart uploads begun before a time.
func (s *S3) abandon(ctx context.Context, before time.Time) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for upload := range s.client.ListIncompleteUploads(ctx, s.bucket, s.within(), true) {
		if upload.Err != nil {
			return upload.Err
		}
		if !upload.Initiated.Before(before) {
			continue
		}
		if err := s.client.RemoveIncompleteUpload(ctx, s.bucket, upload.Key); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// within returns the common prefix of all object names.
func (s *S3) within() string {
	if s.prefix == "" {
		return ""
	}
	return s.prefix + "/"
}
