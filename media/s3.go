package media

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// S3Config is the address and credentials of S3-compatible storage.
type S3Config struct {
	Endpoint  string // host or host:port, without scheme
	Bucket    string
	AccessKey string
	SecretKey string
	Region    string // detected if empty
	Secure    bool   // use https
	Prefix    string // prepended to every key, so that a bucket can be shared
	Style     string // path or host: where requests name the bucket; depends on the endpoint if empty
}

// S3 is a Store in one bucket of an S3-compatible storage.
type S3 struct {
	client         *minio.Client
	bucket, prefix string
}

// NewS3 returns a Store in an existing bucket. It does not contact the storage, and returns an error if the
// configuration is invalid.
func NewS3(c S3Config) (*S3, error) {
	if c.Bucket == "" {
		return nil, errors.New("media storage: no bucket named")
	}
	lookup := map[string]minio.BucketLookupType{"path": minio.BucketLookupPath, "host": minio.BucketLookupDNS}
	client, err := minio.New(c.Endpoint, &minio.Options{
		Creds:        credentials.NewStaticV4(c.AccessKey, c.SecretKey, ""),
		Region:       c.Region,
		Secure:       c.Secure,
		BucketLookup: lookup[c.Style],
		MaxRetries:   3,
	})
	if err != nil {
		return nil, fmt.Errorf("media storage: %w", err)
	}
	return &S3{client, c.Bucket, strings.Trim(c.Prefix, "/")}, nil
}

// whole is the maximum size, in bytes, of a blob that is read completely into memory and sent in a single request, so
// that a failing reader leaves nothing behind. Larger blobs are uploaded in parts, which the storage assembles after
// the last one.
const whole = 32 << 20

// Put implements Store.
func (s *S3) Put(ctx context.Context, key string, r io.Reader, size int64, mime string) error {
	if err := checkKey(key); err != nil {
		return err
	}
	if size < 0 {
		return fmt.Errorf("put blob: %w", ErrBadSize)
	}
	if size > whole {
		return s.putParts(ctx, key, &exactly{ctx, r, size}, size, mime)
	}
	body, err := io.ReadAll(io.LimitReader(&exactly{ctx, r, size}, size+1))
	if err != nil {
		return fmt.Errorf("put blob: %w", err)
	}
	_, err = s.client.PutObject(ctx, s.bucket, s.name(key), bytes.NewReader(body), size,
		minio.PutObjectOptions{ContentType: mime, DisableMultipart: true})
	if err != nil {
		return fmt.Errorf("put blob: %w", err)
	}
	return nil
}

// putParts uploads a blob in parts, with one part at a time in memory. It tries to read one byte more than announced
// before it sends the last part.
func (s *S3) putParts(ctx context.Context, key string, r io.Reader, size int64, mime string) error {
	_, err := s.client.PutObject(ctx, s.bucket, s.name(key), &ending{r: r, left: size}, size,
		minio.PutObjectOptions{ContentType: mime, PartSize: whole / 2, NumThreads: 1})
	if err != nil {
		return fmt.Errorf("put blob: %w", err)
	}
	return nil
}

// ending reads a given number of bytes, and returns the last one only if nothing follows.
type ending struct {
	r    io.Reader
	left int64
}

func (e *ending) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	if e.left -= int64(n); e.left == 0 && err == nil {
		var more [1]byte
		_, err = io.ReadFull(e.r, more[:])
	}
	return n, err
}

// Delete implements Store.
func (s *S3) Delete(ctx context.Context, keys ...string) error {
	var errs []error
	for _, key := range keys {
		err := checkKey(key)
		if err == nil {
			err = s.client.RemoveObject(ctx, s.bucket, s.name(key), minio.RemoveObjectOptions{})
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("delete blob: %w", err))
		}
	}
	return errors.Join(errs...)
}

// Clear implements Store.
func (s *S3) Clear(ctx context.Context, site string) error {
	if err := checkSite(site); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx) // ends the listing if something fails
	defer cancel()
	found := s.client.ListObjectsIter(ctx, s.bucket, minio.ListObjectsOptions{Prefix: s.name(site) + "/", Recursive: true})
	for object := range found {
		if object.Err != nil {
			return fmt.Errorf("clear blobs: %w", object.Err)
		}
		if err := s.client.RemoveObject(ctx, s.bucket, object.Key, minio.RemoveObjectOptions{}); err != nil {
			return fmt.Errorf("clear blobs: %w", err)
		}
	}
	return nil
}

func (s *S3) name(key string) string { return path.Join(s.prefix, key) }

// Answers returns nil if the storage responds and the bucket exists.
func (s *S3) Answers(ctx context.Context) error {
	switch there, err := s.client.BucketExists(ctx, s.bucket); {
	case err != nil:
		return fmt.Errorf("media storage: %w", err)
	case !there:
		return fmt.Errorf("media storage: there is no bucket %q", s.bucket)
	}
	return nil
}
