package content

import "github.com/kalends/kalends/calendar"

// Schedule stores when an item is to be published, or removes that time if the item is not scheduled.
func (t *Tx) Schedule(kind string, p *calendar.Post) {
	const plan = `
		INSERT INTO schedule (site_id, kind, id, due_at)
		VALUES ($1, $2, $3, $4)
		ON CONFLICT ON CONSTRAINT schedule_pkey DO UPDATE
		SET due_at = excluded.due_at`
	if p.Status != calendar.Future {
		t.Unschedule(kind, p.ID)
		return
	}
	t.Queue(plan, t.Site, kind, p.ID, p.Date)
}

// Unschedule cancels the scheduled publication of an item.
func (t *Tx) Unschedule(kind string, id int64) {
	const unplan = `
		DELETE FROM schedule
		WHERE site_id = $1
		  AND kind = $2
		  AND id = $3`
	t.Queue(unplan, t.Site, kind, id)
}
