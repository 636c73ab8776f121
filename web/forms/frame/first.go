package frame

import (
	"context"
	"strings"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

// Starters are the names of categories to begin with, in the language of the site.
func Starters(ctx context.Context) []string {
	names := strings.Split(i18n.Text(tenancy.Current(ctx).Site.Language, "admin.first.names", nil), "·")
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
	}
	return names
}
