package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/minio/minio-go/v7"
)

// Get implements Store.
func (s *S3) Get(ctx context.Context, key string) (io.ReadSeekCloser, Info, error) {
	if err := errors.Join(checkKey(key), ctx.Err()); err != nil {
		return nil, Info{}, err
	}
	reading, end := context.WithCancel(context.WithoutCancel(ctx))
	asked := context.AfterFunc(ctx, end)
	object, err := s.client.GetObject(reading, s.bucket, s.name(key), minio.GetObjectOptions{})
	if err != nil {
		end()
		return nil, Info{}, fmt.Errorf("get blob: %w", err)
	}
	stat, err := object.Stat()
	if !asked() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
			err = ErrNoBlob
		}
		err = fmt.Errorf("get blob: %w", errors.Join(err, object.Close()))
		end()
		return nil, Info{}, err
	}
	return &reader{object, end}, Info{MIME: stat.ContentType, Size: stat.Size, Modified: stat.LastModified}, nil
}

// pieceTimeout is the time limit for the storage to deliver one piece of a blob. Reading the whole blob has no limit.
const pieceTimeout = time.Minute

// reader reads a blob. Closing it ends the request.
type reader struct {
	*minio.Object
	end context.CancelFunc
}

func (r *reader) Read(p []byte) (int, error) {
	defer time.AfterFunc(pieceTimeout, r.end).Stop()
	return r.Object.Read(p)
}

func (r *reader) ReadAt(p []byte, at int64) (int, error) {
	defer time.AfterFunc(pieceTimeout, r.end).Stop()
	return r.Object.ReadAt(p, at)
}

func (r *reader) Close() error {
	defer r.end()
	return r.Object.Close()
}
