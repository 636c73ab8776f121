package webhooks

import (
	"crypto/rand"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar/webhooks"
)

// finished stores the message that an import has ended, for the webhooks that ask for it. It excludes webhooks
// whose key has no access to imports.
const finished = `
	INSERT INTO webhook_messages (site_id, webhook_id, kind, object, message, event, fresh, leaves, version, at, planned_at, due_at)
	SELECT $1, w.id, 'import', $2, $3::text || w.id, $4::text, false, false, s.version, $5::timestamptz, $5, $5
	FROM webhooks w
	JOIN sites s ON s.id = $1
	WHERE w.site_id = $1
	  AND w.active
	  AND w.events && ARRAY[$4::text, $6::text]
	  AND EXISTS (SELECT FROM imports i WHERE i.site_id = $1 AND i.id = $2)
	  AND NOT EXISTS (
	      SELECT
	      FROM credentials c
	      WHERE c.site_id = $1
	        AND c.id = w.credential_id
	        AND NOT 'imports:write' = ANY(c.scopes))
	ON CONFLICT ON CONSTRAINT webhook_messages_pkey DO NOTHING`

// QueueFinished queues the messages that an import has ended, within the import's transaction.
func QueueFinished(b *pgx.Batch, site, id int64, now time.Time) {
	b.Queue(heed, site, now)
	b.Queue(finished, site, id, "msg_"+rand.Text(), webhooks.Finished, now, webhooks.Every)
}
