package api

import (
	"strings"

	"github.com/kalends/kalends/api/jsontext"
)

// fieldsAsked returns _fields as comma-separated text, whether it was sent as text or as a list.
func fieldsAsked(value any) string {
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	var texts []string
	for _, entry := range list {
		if text, ok := entry.(string); ok && text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, ",")
}

// Pick reduces the answer to the named keys of its objects and of the objects in its lists, given as dotted paths
// (rule 3.2).
func (a *Answer) Pick(fields string) {
	picked, err := jsontext.Pick(a.Body, fields)
	if err != nil {
		return // our own JSON is always valid
	}
	a.Body = picked
	version, _ := taggedVersion(a.ETag)
	a.ETag = etag(version, picked)
}
