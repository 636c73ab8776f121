package frame

import (
	"context"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// KeyLine returns a command that uses a key.
func KeyLine(ctx context.Context, key string) string {
	return "curl -H 'Authorization: Bearer " + key + "' " + tenancy.Current(ctx).Base.API() + "/events"
}

// KeyUse describes when a key was last used.
func KeyUse(ctx context.Context, last time.Time) string {
	if last.IsZero() {
		return Tell(ctx, "access.unused")
	}
	return TellWith(ctx, "access.used", "Time", ShortTime(ctx, last))
}
