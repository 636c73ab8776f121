package lists

import (
	"strings"

	"github.com/kalends/kalends/storage/content"
)

// unmasked excludes events whose mask hides the fields that the list filters by. Few events have a password, and an
// index lists them.
func (b *eventQuery) unmasked() {
	if o := b.Opener; o != nil {
		condition := strings.NewReplacer("@unlocks", b.arg(o.All), "@owner", b.arg(o.User), "@publishes", b.arg(o.Publishes),
			"@key", b.arg(o.Password)).Replace(content.Masked)
		b.and("o.event_id NOT IN (SELECT e.id FROM events e WHERE e.site_id = $1 AND " + condition + ")")
	}
}
