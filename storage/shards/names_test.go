package shards

import "testing"

var names = &Names{
	Number: map[string]int64{"events": 102010, "terms": 102020, "sites": 102030},
	Copies: map[string]int64{"plans": 102001},
	Kept:   map[string]bool{"jobs": true},
}

func TestNames(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string]string{
		"SELECT e.id FROM events e JOIN terms ON terms.id = e.id": "SELECT e.id FROM events_102010 e JOIN terms_102020 AS terms ON terms.id = e.id",
		"SELECT 1 FROM up JOIN terms t ON true":                   "SELECT 1 FROM up JOIN terms_102020 t ON true",
		"UPDATE terms SET count = 0":                              "UPDATE terms_102020 AS terms SET count = 0",
		"INSERT INTO events (id) VALUES (1)":                      "INSERT INTO events_102010 AS events (id) VALUES (1)",
		"INSERT INTO events (id) VALUES (1) ON CONFLICT ON CONSTRAINT events_pkey DO NOTHING": "INSERT INTO events_102010 AS events (id) " +
			"VALUES (1) ON CONFLICT ON CONSTRAINT events_pkey_102010 DO NOTHING",
		"DELETE FROM events e USING terms t":             "DELETE FROM events_102010 e USING terms_102020 t",
		"SELECT 1 FROM sites s JOIN plans p ON true":     "SELECT 1 FROM sites_102030 s JOIN plans_102001 p ON true",
		"SELECT 1 FROM sites FOR UPDATE":                 "SELECT 1 FROM sites_102030 AS sites FOR UPDATE",
		"SELECT events.id FROM words WHERE a = $1":       "SELECT events.id FROM words WHERE a = $1",
		"INSERT INTO jobs (id) SELECT s.id FROM sites s": "INSERT INTO jobs (id) SELECT s.id FROM sites s",
		"UPDATE plans SET geo = true":                    "UPDATE plans SET geo = true",
	} {
		if got := names.In(sql); got != want {
			t.Errorf("%s\nbecomes %s\nwant    %s", sql, got, want)
		}
	}
	const found = "SELECT x.id FROM (SELECT site_id, id, true AS texts_indexed FROM texts_of_shard(102010)) x WHERE x.site_id = $1"
	if got := names.In("SELECT x.id FROM event_texts x WHERE x.site_id = $1"); got != found {
		t.Error(got)
	}
	if got := (*Names)(nil).In("DELETE FROM events"); got != "DELETE FROM events" {
		t.Error(got)
	}
}
