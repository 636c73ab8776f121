package pg

// Heed has the nodes look at a site, $1, from a moment, $2, on for what waits for its people. What makes a new version of the site is looked
// at anyway.
const Heed = `
	INSERT INTO attention_rounds AS r (site_id, due_at)
	VALUES ($1, $2)
	ON CONFLICT ON CONSTRAINT attention_rounds_pkey DO UPDATE
	SET due_at = LEAST(r.due_at, excluded.due_at)
	WHERE r.site_id = excluded.site_id`
