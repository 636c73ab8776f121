package storagetest

import (
	"regexp"
	"strings"
)

// SiteTables are the tables whose rows belong to a site.
var SiteTables = []string{
	"users", "credentials", "sessions", "vouchers", "passkeys", "second_factors", "sign_in_providers", "sign_in_identities",
	"challenges", "attempts", "forms", "images", "venues", "organizers", "terms", "events", "occurrences", "event_venues",
	"event_organizers", "event_terms", "changes", "drafts", "previews", "redirects", "translated_slugs", "domain_claims",
	"event_texts", "removed_occurrences", "former_dates", "divided_series", "occurrence_days", "unconfirmed_submissions",
	"submissions", "reports", "kept_answers", "selections", "selected_objects", "imports", "import_files", "import_entries",
	"import_made", "import_identities", "import_columns", "import_brought", "webhooks", "webhook_messages",
	"webhook_deliveries", "sources", "letter_subscriptions", "letter_months", "event_numbers", "site_numbers",
}

// Reached matches a table of sites in a statement, and its alias.
var Reached = regexp.MustCompile(`(?i)\b(?:FROM|JOIN|INTO|UPDATE|USING)\s+(` +
	strings.Join(append(SiteTables, `{place}s`, `event_{place}s`), "|") + `)\b(?:\s+(?:AS\s+)?([a-z_]+)\b)?`)

// Unnamed returns the tables of sites that a statement reaches without naming
// their site_id.
func Unnamed(sql string) (tables []string) {
	for _, m := range Reached.FindAllStringSubmatch(sql, -1) {
		column := m[2] + ".site_id"
		switch strings.ToUpper(m[2]) {
		case "", "WHERE", "SET", "ON", "VALUES", "ORDER", "LIMIT", "GROUP":
			column = "site_id"
		}
		if !strings.Contains(sql, column) {
			tables = append(tables, strings.TrimSpace(m[0]))
		}
	}
	return tables
}
