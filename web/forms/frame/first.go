package frame

import (
	"context"
	"strings"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

// Fresh reports whether nobody has written an event of the site, and the principal may.
func Fresh(ctx context.Context) bool {
	scope := tenancy.Current(ctx)
	return scope.Site.Usage.Events == 0 && scope.Principal.May(tenancy.EditOwn)
}

// Starters are the names of categories to begin with, in the language of the site.
func Starters(ctx context.Context) []string {
	return strings.Split(i18n.Text(tenancy.Current(ctx).Site.Language, "admin.first.names", nil), " · ")
}
