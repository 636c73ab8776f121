-- +goose Up

-- How many occurrences public lists have, by the day they start on and the day they
-- end on: a total is a sum of these, however many there are. Triggers keep them, so
-- that they are true whoever writes: a node of the release before, too, and a key that
-- takes occurrences with their event.
CREATE TABLE occurrence_days (
    site_id     bigint  NOT NULL,
    start_day   date    NOT NULL,
    end_day     date    NOT NULL,
    occurrences integer NOT NULL,
    CONSTRAINT occurrence_days_pkey PRIMARY KEY (site_id, start_day, end_day)
) WITH (fillfactor = 70);
ALTER TABLE occurrence_days ENABLE ROW LEVEL SECURITY;
ALTER TABLE occurrence_days FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON occurrence_days USING (site_id = (SELECT NULLIF(current_setting('kalends.site', true), '')::bigint));

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON occurrence_days TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION count_added_occurrences() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO occurrence_days AS d (site_id, start_day, end_day, occurrences)
    SELECT site_id, start_local::date, end_local::date, count(*)
    FROM added
    WHERE listed
    GROUP BY site_id, start_local::date, end_local::date
    ON CONFLICT ON CONSTRAINT occurrence_days_pkey DO UPDATE
    SET occurrences = d.occurrences + excluded.occurrences;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION count_removed_occurrences() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    WITH gone AS (
        SELECT site_id, start_local::date AS start_day, end_local::date AS end_day, count(*) AS occurrences
        FROM removed
        WHERE listed
        GROUP BY site_id, start_local::date, end_local::date
    ), fewer AS (
        UPDATE occurrence_days d
        SET occurrences = d.occurrences - gone.occurrences
        FROM gone
        WHERE d.site_id = gone.site_id
          AND d.start_day = gone.start_day
          AND d.end_day = gone.end_day
          AND d.occurrences > gone.occurrences
    )
    DELETE FROM occurrence_days d
    USING gone
    WHERE d.site_id = gone.site_id
      AND d.start_day = gone.start_day
      AND d.end_day = gone.end_day
      AND d.occurrences <= gone.occurrences;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION count_changed_occurrences() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    WITH changed AS (
        SELECT site_id, start_day, end_day, sum(n) AS occurrences
        FROM (
            SELECT site_id, start_local::date AS start_day, end_local::date AS end_day, 1 AS n
            FROM added
            WHERE listed
            UNION ALL
            SELECT site_id, start_local::date, end_local::date, -1
            FROM removed
            WHERE listed
        ) days
        GROUP BY site_id, start_day, end_day
        HAVING sum(n) <> 0
    ), more AS (
        INSERT INTO occurrence_days AS d (site_id, start_day, end_day, occurrences)
        SELECT site_id, start_day, end_day, occurrences
        FROM changed
        WHERE occurrences > 0
        ON CONFLICT ON CONSTRAINT occurrence_days_pkey DO UPDATE
        SET occurrences = d.occurrences + excluded.occurrences
    ), fewer AS (
        UPDATE occurrence_days d
        SET occurrences = d.occurrences + changed.occurrences
        FROM changed
        WHERE d.site_id = changed.site_id
          AND d.start_day = changed.start_day
          AND d.end_day = changed.end_day
          AND changed.occurrences < 0
          AND d.occurrences + changed.occurrences > 0
    )
    DELETE FROM occurrence_days d
    USING changed
    WHERE d.site_id = changed.site_id
      AND d.start_day = changed.start_day
      AND d.end_day = changed.end_day
      AND changed.occurrences < 0
      AND d.occurrences + changed.occurrences <= 0;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

-- Nobody writes occurrences from here to the commit, so that what is there is counted
-- once. The policies are lifted for that time: it concerns all sites.
CREATE TRIGGER occurrences_added AFTER INSERT ON occurrences
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_occurrences();
CREATE TRIGGER occurrences_removed AFTER DELETE ON occurrences
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_occurrences();
CREATE TRIGGER occurrences_changed AFTER UPDATE ON occurrences
    REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_changed_occurrences();
ALTER TABLE occurrences NO FORCE ROW LEVEL SECURITY;
ALTER TABLE occurrence_days NO FORCE ROW LEVEL SECURITY;
INSERT INTO occurrence_days (site_id, start_day, end_day, occurrences)
SELECT site_id, start_local::date, end_local::date, count(*)
FROM occurrences
WHERE listed
GROUP BY site_id, start_local::date, end_local::date;
ALTER TABLE occurrences FORCE ROW LEVEL SECURITY;
ALTER TABLE occurrence_days FORCE ROW LEVEL SECURITY;

-- What public lists don't have is found by itself, for lists of people who see more.
CREATE INDEX occurrences_unlisted_idx ON occurrences (site_id, start_local, id) INCLUDE (event_id, n, end_local, original_start) WHERE NOT listed;
