package lists

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/bounded"
	"github.com/kalends/kalends/storage/pg"
)

// vocabularies remembers the words of sites, each at one version.
type vocabularies struct {
	sites bounded.Cache[vocabularyKey, *siteVocabulary]
}

// vocabularyKey is a site with the languages of the texts.
type vocabularyKey struct {
	site      int64
	languages string
}

// siteVocabulary holds the words of a site at a version.
type siteVocabulary struct {
	version int64
	words   *wording.Vocabulary
}

// vocabularyBytes limits the memory for the words of all sites.
const vocabularyBytes = 24 << 20

func newVocabularies() *vocabularies {
	return &vocabularies{bounded.New(bounded.Options[vocabularyKey, *siteVocabulary]{
		Bytes: vocabularyBytes,
		Weigh: func(_ vocabularyKey, s *siteVocabulary) uint32 { return uint32(500 + s.words.Size()) },
	})}
}

// mostTitled is how many events a vocabulary includes, and how many items of each other kind. The latest are
// included. This limits the cost of a search that finds nothing.
const mostTitled = 20_000

// mostDescribed is the number of these events whose descriptions are read, and mostDescribes the number of
// characters read of each.
const (
	mostDescribed = 3000
	mostDescribes = 600
)

// wordsOfEvents reads the titles of a site's public events, with their translations in the languages $2, the
// beginning of the latest descriptions, and the links of the events.
const wordsOfEvents = `
	SELECT concat_ws(E'\n', e.title, (SELECT string_agg(e.translations -> l ->> 'title', E'\n') FROM unnest($2::text[]) l)),
	       CASE WHEN row_number() OVER (ORDER BY e.id DESC) <= $4 THEN left(e.description, $5) ELSE '' END,
	       e.venue_ids || e.organizer_ids,
	       e.term_ids
	FROM (
		SELECT e.id, e.title, e.description, e.venue_ids, e.organizer_ids, e.term_ids,
		       CASE WHEN e.languages && $2::text[] THEN e.translations END AS translations
		FROM events e
		WHERE e.site_id = $1
		  AND e.status = 'publish'
		  AND NOT e.hidden
		  AND e.password IS NULL
		ORDER BY e.id DESC
		LIMIT $3
	) e`

// namesOfSite reads the public names of a site, with their translations in the languages $2.
const namesOfSite = `
	SELECT v.id, concat_ws(E'\n', v.name, v.city, v.address, (
		SELECT string_agg(concat_ws(E'\n', v.translations -> l ->> 'title', v.translations -> l ->> 'city'), E'\n')
		FROM unnest($2::text[]) l))
	FROM (SELECT * FROM venues v WHERE v.site_id = $1 AND v.status = 'publish' ORDER BY v.id DESC LIMIT $3) v
	UNION ALL
	SELECT g.id, concat_ws(E'\n', g.name, (SELECT string_agg(g.translations -> l ->> 'title', E'\n') FROM unnest($2::text[]) l))
	FROM (SELECT * FROM organizers g WHERE g.site_id = $1 AND g.status = 'publish' ORDER BY g.id DESC LIMIT $3) g
	UNION ALL
	SELECT -c.id, concat_ws(E'\n', c.name, (SELECT string_agg(c.translations -> l ->> 'title', E'\n') FROM unnest($2::text[]) l))
	FROM (SELECT * FROM terms c WHERE c.site_id = $1 ORDER BY c.id DESC LIMIT $3) c`

// queueWords reads the words of a site. Ids of terms are negative in names, because terms have their own id
// counter, while venues and organizers share another.
func queueWords(b *pgx.Batch, site int64, languages []string) *wording.Vocabulary {
	made, names := wording.NewVocabulary(), map[int64]wording.Words{}
	var id int64
	var name string
	b.Queue(namesOfSite, site, languages, mostTitled).Query(pg.Each([]any{&id, &name}, func() error {
		for line := range strings.SplitSeq(name, "\n") {
			names[id] = append(names[id], made.Add(line)...)
		}
		return nil
	}))
	var titles, text string
	var links, terms []int64
	b.Queue(wordsOfEvents, site, languages, mostTitled, mostDescribed, mostDescribes).
		Query(pg.Each([]any{&titles, &text, &links, &terms}, func() error {
			var has []wording.Words
			for title := range strings.SplitSeq(titles, "\n") {
				has = append(has, made.Add(title))
			}
			for _, id := range links {
				has = append(has, names[id])
			}
			for _, id := range terms {
				has = append(has, names[-id])
			}
			if text != "" {
				has = append(has, made.Describe(wording.PlainText(text)))
			}
			made.Event(has...)
			return nil
		}))
	return made
}

// Vocabulary implements calendar.EventStore. It reads the words again for each version of the site.
func (s *Lists) Vocabulary(ctx context.Context, languages []string) (*wording.Vocabulary, error) {
	id, err := pg.Site(ctx)
	if err != nil {
		return nil, err
	}
	key := vocabularyKey{id, strings.Join(languages, ",")}
	version := int64(0)
	if err = s.db.Quick(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(versionsOf, site).QueryRow(readVersions(&version, new(int64)))
	}); err != nil {
		return nil, err
	}
	if known, ok := s.words.sites.Get(key); ok && known.version == version {
		return known.words, nil
	}
	var made *wording.Vocabulary
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) { made = queueWords(b, site, append([]string{}, languages...)) })
	if err != nil {
		return nil, err
	}
	s.words.sites.Change(key, func(old *siteVocabulary, _ bool) (*siteVocabulary, bounded.Outcome) {
		if old != nil && old.version > version {
			return old, bounded.Leave
		}
		return &siteVocabulary{version, made}, bounded.Keep
	})
	return made, nil
}

// dictionaries are the stemming dictionaries of Postgres by language, without regions.
var dictionaries = map[string]string{
	"ar": "arabic_stem", "da": "danish_stem", "de": "german_stem", "el": "greek_stem", "en": "english_stem", "es": "spanish_stem",
	"fi": "finnish_stem", "fr": "french_stem", "hi": "hindi_stem", "hu": "hungarian_stem", "id": "indonesian_stem", "it": "italian_stem",
	"nl": "dutch_stem", "pt": "portuguese_stem", "sv": "swedish_stem", "tr": "turkish_stem",
	"ca": "catalan_stem", "eu": "basque_stem", "ga": "irish_stem", "hy": "armenian_stem", "lt": "lithuanian_stem", "nb": "norwegian_stem",
	"ne": "nepali_stem", "nn": "norwegian_stem", "no": "norwegian_stem", "ro": "romanian_stem", "ru": "russian_stem", "sr": "serbian_stem",
	"ta": "tamil_stem", "yi": "yiddish_stem",
}

// stemOf returns the stem of a word $2 by a dictionary $1, wording.StopWord for a stop word, or "" if the
// dictionary does not know the word.
const stemOf = `
	SELECT COALESCE(l.found[1], CASE WHEN l.found = '{}' THEN '-' ELSE '' END)
	FROM (SELECT ts_lexize($1::text::regdictionary, $2) AS found) l`

// Stems implements calendar.EventStore. Stems are remembered, because searches repeat words.
func (s *Lists) Stems(ctx context.Context, languages, words []string) (map[string][]string, error) {
	stems := map[string][]string{}
	type asked struct{ dictionary, word string }
	var unknown []asked
	for _, language := range languages {
		general, _, _ := strings.Cut(language, "-")
		dictionary := dictionaries[general]
		if dictionary == "" {
			continue
		}
		for _, word := range words {
			switch stem := s.stems.get(keyOf(dictionary+" "+word), unread); stem {
			case unread:
				unknown = append(unknown, asked{dictionary, word})
			case "":
			default:
				stems[word] = append(stems[word], stem)
			}
		}
	}
	if len(unknown) == 0 {
		return stems, nil
	}
	err := s.db.Read(ctx, func(_ int64, b *pgx.Batch) {
		for _, one := range unknown {
			b.Queue(stemOf, one.dictionary, one.word).QueryRow(func(row pgx.Row) error {
				stem := ""
				if err := row.Scan(&stem); err != nil {
					return err
				}
				s.stems.set(keyOf(one.dictionary+" "+one.word), stem)
				if stem != "" {
					stems[one.word] = append(stems[one.word], stem)
				}
				return nil
			})
		}
	})
	return stems, err
}

// unread is the value of a stem that is not remembered.
const unread = "\x00"

// Cities implements calendar.EventStore. It uses the meanings of words that List reads and remembers.
func (s *Lists) Cities(ctx context.Context, q calendar.EventQuery) (cities []string, err error) {
	q.Categories, q.Tags, q.But = nil, nil, calendar.But{}
	err = s.meant(ctx, q, func(n *meanings) (int64, error) {
		if n == nil {
			return 0, nil
		}
		cities = n.cities
		return n.links, nil
	})
	return cities, err
}
