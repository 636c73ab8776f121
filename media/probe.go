package media

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Probe writes a blob to a store, reads and removes it. It returns the first error or discrepancy.
func Probe(ctx context.Context, s Store) error {
	content := []byte(rand.Text())
	key := "doctor/0/" + strings.ToLower(rand.Text())
	if err := s.Put(ctx, key, bytes.NewReader(content), int64(len(content)), "text/plain"); err != nil {
		return fmt.Errorf("nothing can be written: %w", err)
	}
	if err := same(ctx, s, key, content); err != nil {
		return fmt.Errorf("a written file cannot be read: %w", errors.Join(err, s.Delete(ctx, key)))
	}
	if err := s.Delete(ctx, key); err != nil {
		return fmt.Errorf("a written file cannot be removed: %w", err)
	}
	if _, _, err := s.Get(ctx, key); !errors.Is(err, ErrNoBlob) {
		return fmt.Errorf("a removed file still exists: %w", err)
	}
	return nil
}

func same(ctx context.Context, s Store, key string, want []byte) error {
	r, _, err := s.Get(ctx, key)
	if err != nil {
		return err
	}
	got, err := io.ReadAll(r)
	if err = errors.Join(err, r.Close()); err == nil && !bytes.Equal(got, want) {
		return errors.New("its content is different")
	}
	return err
}
