// Package htmltest renders parts of pages, for tests.
package htmltest

import (
	"context"
	"strings"
	"testing"

	"github.com/a-h/templ"
)

// Of returns a part of a page as HTML.
func Of(ctx context.Context, t testing.TB, part templ.Component) string {
	t.Helper()
	var b strings.Builder
	if err := part.Render(ctx, &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
