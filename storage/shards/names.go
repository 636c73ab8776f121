// Package shards rewrites statements of one site for the server that has the site. On a cluster each table of sites
// consists of many tables, one per shard. If a statement names the tables of its shard, Postgres plans it without
// Citus, as on a single server (ADR 94).
package shards

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// Names holds the table names of one shard.
type Names struct {
	Number map[string]int64 // number of the shard, by distributed table
	Copies map[string]int64 // tables that are on every server
	Kept   map[string]bool  // tables that only the coordinator has; statements with one of them stay unchanged

	known sync.Map // results of In, by statement
	many  atomic.Int64
}

// most is how many statements of a shard are remembered. The service has fewer statements than that.
const most = 4096

// texts replaces event_texts, which exists only on single servers, by a call of a function for the shard of events
// (citus.sql). A cluster indexes all texts.
const texts = "(SELECT site_id, id, true AS texts_indexed FROM texts_of_shard(%d))"

var (
	tables  = regexp.MustCompile(`(?i)\b(DELETE\s+FROM|FROM|JOIN|INTO|UPDATE|USING)\s+([a-z_]+)\b`)
	alias   = regexp.MustCompile(`(?i)^\s+(?:AS\s+)?([a-z_]+)\b`)
	noAlias = regexp.MustCompile(`(?i)^(WHERE|SET|ON|VALUES|ORDER|LIMIT|GROUP|JOIN|LEFT|CROSS|USING|UNION|SELECT|DEFAULT|RETURNING|FOR|` +
		`OVERRIDING|INNER|RIGHT|FULL|HAVING|WINDOW|EXCEPT|INTERSECT|OFFSET|AND|OR|WHEN|THEN|ELSE|END)$`)
	constraint = regexp.MustCompile(`(?i)\bON CONSTRAINT [a-z_]+`)
)

// In returns a statement with the table names of the shard. Tables keep their own names as aliases.
func (n *Names) In(sql string) string {
	if n == nil {
		return sql
	}
	if named, ok := n.known.Load(sql); ok {
		return named.(string)
	}
	named := n.in(sql)
	if n.many.Add(1) <= most {
		n.known.Store(sql, named)
	}
	return named
}

func (n *Names) in(sql string) string {
	if n.keeps(sql) {
		return sql
	}
	var b strings.Builder
	into := "" // the suffix of the written table, which the names of its constraints have as well
	done := 0  // how much of sql is copied
	for _, m := range tables.FindAllStringSubmatchIndex(sql, -1) {
		verb, own, rest := sql[m[2]:m[3]], sql[m[4]:m[5]], sql[m[5]:]
		table := strings.ToLower(own)
		var name string
		if table == "event_texts" {
			name = fmt.Sprintf(texts, n.Number["events"])
		} else if number, ok := n.number(table); ok {
			suffix := "_" + strconv.FormatInt(number, 10)
			if name = table + suffix; strings.EqualFold(verb, "INTO") {
				into = suffix
			}
		} else {
			continue
		}
		b.WriteString(sql[done:m[4]] + name)
		if next := alias.FindStringSubmatch(rest); next == nil || noAlias.MatchString(next[1]) {
			b.WriteString(" AS " + own)
		}
		done = m[5]
	}
	return constraint.ReplaceAllString(b.String()+sql[done:], "${0}"+into)
}

func (n *Names) number(table string) (int64, bool) {
	if number, ok := n.Number[table]; ok {
		return number, true
	}
	number, ok := n.Copies[table]
	return number, ok
}

// keeps reports whether a statement must go through Citus: it writes a table that is on all servers, or uses a
// table that only the coordinator has.
func (n *Names) keeps(sql string) bool {
	for _, m := range tables.FindAllStringSubmatch(sql, -1) {
		verb, table := strings.ToUpper(m[1]), strings.ToLower(m[2])
		reads := verb == "FROM" || verb == "JOIN" || verb == "USING"
		if _, copied := n.Copies[table]; n.Kept[table] || copied && !reads {
			return true
		}
	}
	return false
}
