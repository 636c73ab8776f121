package pg

// Heed makes the nodes look at site $1 for what waits for its people, from the moment $2 on. They look at new versions of a
// site anyway.
const Heed = `
	INSERT INTO attention_rounds AS r (site_id, due_at)
	VALUES ($1, $2)
	ON CONFLICT ON CONSTRAINT attention_rounds_pkey DO UPDATE
	SET due_at = LEAST(r.due_at, excluded.due_at)
	WHERE r.site_id = excluded.site_id`
