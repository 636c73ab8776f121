package webhooks

import (
	"crypto/rand"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar/webhooks"
)

// finished lets the end of an import wait to be told to the webhooks that ask for it. A key that does not open imports is not told.
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

// QueueFinished adds to a batch what tells webhooks of the end of an import, in its transaction.
func QueueFinished(b *pgx.Batch, site, id int64, now time.Time) {
	b.Queue(finished, site, id, "msg_"+rand.Text(), webhooks.Finished, now, webhooks.Every)
	b.Queue(heed, site, now)
}
