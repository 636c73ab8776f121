-- +goose Up

-- How many occurrences of series a site may have stored, and how many it has. Plans that
-- limit events have a limit of occurrences from now on; NULL is none. The version
-- before counts nothing, so what is used is counted anew whenever a site gets another
-- plan.
ALTER TABLE plans
    ADD COLUMN max_occurrences bigint,
    ADD CONSTRAINT plans_occurrences_check CHECK (max_occurrences >= 0);
UPDATE plans
SET max_occurrences = 2000000
WHERE max_events IS NOT NULL;
ALTER TABLE sites
    ADD COLUMN used_occurrences bigint NOT NULL DEFAULT 0;

-- +goose StatementBegin
DO $$
DECLARE
    one bigint;
BEGIN
    FOR one IN SELECT id FROM sites ORDER BY id LOOP
        PERFORM set_config('kalends.site', one::text, true); -- the policies hold the tables' owner too
        PERFORM FROM sites WHERE id = one FOR NO KEY UPDATE;
        UPDATE sites s
        SET used_occurrences = (SELECT count(*) FROM occurrences o WHERE o.site_id = one AND o.n <> 0)
            + (SELECT count(*) FROM events e WHERE e.site_id = one AND e.series_id IS NOT NULL)
        WHERE s.id = one
          AND EXISTS (SELECT FROM events e WHERE e.site_id = one AND e.rules IS NOT NULL);
    END LOOP;
    PERFORM set_config('kalends.site', '', true);
END
$$;
-- +goose StatementEnd
