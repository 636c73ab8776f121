-- +goose Up

-- Visitors can also report mistakes in venues and organizers (ADR 172). A report is about one of the three.
ALTER TABLE reports
    ALTER COLUMN event_id DROP NOT NULL,
    ADD COLUMN venue_id bigint,
    ADD COLUMN organizer_id bigint,
    ADD CONSTRAINT reports_venue_fkey FOREIGN KEY (site_id, venue_id) REFERENCES venues (site_id, id) ON DELETE CASCADE,
    ADD CONSTRAINT reports_organizer_fkey FOREIGN KEY (site_id, organizer_id) REFERENCES organizers (site_id, id) ON DELETE CASCADE,
    ADD CONSTRAINT reports_about_check CHECK (num_nonnulls(event_id, venue_id, organizer_id) = 1);
CREATE INDEX reports_venue_idx ON reports (site_id, venue_id) WHERE venue_id IS NOT NULL;
CREATE INDEX reports_organizer_idx ON reports (site_id, organizer_id) WHERE organizer_id IS NOT NULL;
