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

// S3Config says where an S3-compatible storage is and who we are to it.
type S3Config struct {
	Endpoint  string // host or host:port, without scheme
	Bucket    string
	AccessKey string
	SecretKey string
	Region    string // asked of the storage when empty
	Secure    bool   // https
	Prefix    string // goes before every key, so that a bucket can be shared
	Style     string // path or host: where requests name the bucket; by the endpoint when empty
}

// S3 is a Store in one bucket of an S3-compatible storage.
type S3 struct {
	client         *minio.Client
	bucket, prefix string
}

// NewS3 returns a Store in a bucket, which must exist already. It asks
// nothing of the storage yet, and returns an error for a configuration that
// cannot work.
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

// whole is the size up to which a blob is sent in one piece, from memory. All of it
// is read before, so that a reader that breaks off leaves nothing. What is larger
// goes in parts, which the storage puts together when the last has come.
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

// putParts sends a blob in parts, of which one at a time is in memory. One byte more
// than announced is asked for before the last part goes.
func (s *S3) putParts(ctx context.Context, key string, r io.Reader, size int64, mime string) error {
	_, err := s.client.PutObject(ctx, s.bucket, s.name(key), &ending{r: r, left: size}, size,
		minio.PutObjectOptions{ContentType: mime, PartSize: whole / 2, NumThreads: 1})
	if err != nil {
		return fmt.Errorf("put blob: %w", err)
	}
	return nil
}

// ending reads so many bytes, the last of them only when nothing follows.
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
	ctx, cancel := context.WithCancel(ctx) // ends the list when something fails
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

// Answers returns nil when the storage answers and has the bucket.
func (s *S3) Answers(ctx context.Context) error {
	switch there, err := s.client.BucketExists(ctx, s.bucket); {
	case err != nil:
		return fmt.Errorf("media storage: %w", err)
	case !there:
		return fmt.Errorf("media storage: there is no bucket %q", s.bucket)
	}
	return nil
}
