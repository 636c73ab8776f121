-- +goose Up

-- Searches for one word name it three times. A long text is read anew for each comparison, which is most of the time that a search
-- for a frequent word takes, so one word is compared once. On a cluster event_texts is a view, which has no policies.
-- +goose StatementBegin
DO $$
BEGIN
    IF (SELECT relkind FROM pg_class WHERE oid = 'event_texts'::regclass) <> 'r' THEN
        RETURN;
    END IF;
    ALTER POLICY words ON event_texts
        USING (search LIKE (SELECT CASE WHEN w.words[1] = w.words[2] AND w.words[2] = w.words[3] THEN w.words[1] END
                            FROM (SELECT nullif(current_setting('kalends.words', true), '')::text[] AS words) w)
            OR search LIKE (SELECT CASE WHEN w.words[1] <> w.words[2] OR w.words[2] <> w.words[3] THEN w.words[1] END
                            FROM (SELECT nullif(current_setting('kalends.words', true), '')::text[] AS words) w)
           AND search LIKE (SELECT (nullif(current_setting('kalends.words', true), '')::text[])[2])
           AND search LIKE (SELECT (nullif(current_setting('kalends.words', true), '')::text[])[3]));
END
$$;
-- +goose StatementEnd
