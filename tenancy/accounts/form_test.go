package accounts

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// slowForms is a FormStore in which every form is under way until a time.
type slowForms struct{ until time.Time }

func (s slowForms) Begin(_ context.Context, _ []byte, now, _, _ time.Time) (mine bool, made int64, err error) {
	if now.Before(s.until) {
		return false, 0, nil
	}
	return false, 7, nil
}

func (slowForms) Drop(context.Context, []byte) error { return nil }

// TestFormUnderWay runs in a time of its own, in which nothing takes any.
func TestFormUnderWay(t *testing.T) {
	t.Parallel()
	never := func(context.Context) (int64, error) { t.Error("made twice"); return 0, nil }
	for _, one := range []struct {
		takes time.Duration
		made  int64
		err   error
	}{{0, 7, nil}, {3 * time.Second, 7, nil}, {time.Hour, 0, ErrUnderWay}} {
		synctest.Test(t, func(t *testing.T) {
			forms := &Forms{store: slowForms{time.Now().Add(one.takes)}, clock: time.Now}
			ctx := tenancy.With(t.Context(), tenancy.Scope{Site: &tenancy.Site{ID: 1}})
			if made, err := forms.Once(ctx, "x", "event", never); made != one.made || !errors.Is(err, one.err) {
				t.Errorf("%v: %d, %v", one.takes, made, err)
			}
		})
	}
}
