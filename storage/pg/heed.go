package pg

// Heed makes the nodes check site $1 at $2 for what its people have to deal with. When a site has a new version,
// they check it anyway.
const Heed = `
	INSERT INTO attention_rounds AS r (site_id, due_at)
	VALUES ($1, $2)
	ON CONFLICT ON CONSTRAINT attention_rounds_pkey DO UPDATE
	SET due_at = LEAST(r.due_at, excluded.due_at)
	WHERE r.site_id = excluded.site_id`
