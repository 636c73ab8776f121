package frame

import (
	"context"
	"strings"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

// Starters returns the names of categories for a new site, in its language.
func Starters(ctx context.Context) []string {
	names := strings.Split(i18n.Text(tenancy.Current(ctx).Site.Language, "admin.first.names", nil), "·")
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
	}
	return names
}
