package pg

// Heed makes the nodes count at $2, or earlier, what people of site $1 have to deal with. After each new version of the
// site they count it anyway.
const Heed = `
	INSERT INTO attention_rounds AS r (site_id, due_at)
	VALUES ($1, $2)
	ON CONFLICT ON CONSTRAINT attention_rounds_pkey DO UPDATE
	SET due_at = LEAST(r.due_at, excluded.due_at)
	WHERE r.site_id = excluded.site_id`
