package storagetest

import "testing"

func TestReplaceTables(t *testing.T) {
	t.Parallel()
	names := map[string]string{"events": "events_102010", "terms": "terms_102020"}
	for sql, want := range map[string]string{
		"SELECT e.id FROM events e JOIN terms ON terms.id = e.id":                             "SELECT e.id FROM events_102010 e JOIN terms_102020 AS terms ON terms.id = e.id",
		"UPDATE terms SET count = 0":                                                          "UPDATE terms_102020 AS terms SET count = 0",
		"INSERT INTO events (id) VALUES (1)":                                                  "INSERT INTO events_102010 AS events (id) VALUES (1)",
		"INSERT INTO events (id) VALUES (1) ON CONFLICT ON CONSTRAINT events_pkey DO NOTHING": "INSERT INTO events_102010 AS events (id) VALUES (1) ON CONFLICT ON CONSTRAINT events_pkey_102010 DO NOTHING",
		"DELETE FROM events":                                                                  "DELETE FROM events_102010 AS events",
		"SELECT count(*) FROM sites":                                                          "SELECT count(*) FROM sites",
	} {
		if got := replaceTables(sql, names); got != want {
			t.Errorf("%s\nbecomes %s\nwant    %s", sql, got, want)
		}
	}
}
