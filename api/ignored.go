package api

import (
	"net/url"
	"reflect"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/api/schema"
	"github.com/kalends/kalends/internal/args"
)

// common are the arguments of every route: the requested keys, and whether unknown arguments are rejected.
type common struct {
	Fields args.Opt[args.Texts]  `arg:"_fields"`
	Strict args.Opt[args.Truthy] `arg:"strict,default=false"`
	Route  args.Opt[string]      `arg:"rest_route"` // the path, on installations without pretty permalinks
}

// commonTable is the argument table of common.
var commonTable = args.TableOf(reflect.TypeFor[common]())

// mostIgnored is the maximum number of names in X-Kalends-Ignored.
const mostIgnored = 20

// ignored lists the unknown arguments of a request in X-Kalends-Ignored, and the keys in _fields that its answer cannot
// have. With strict they are rejected, each argument as a separate problem.
func (r *Route) ignored(c *fiber.Ctx, values args.Values) error {
	var names []string
	for _, name := range r.Others.Unknown(values) {
		if commonTable.Field(name) == nil && r.InPath.Field(name) == nil {
			names = append(names, name)
		}
	}
	missing := r.missing(fieldsAsked(values["_fields"]))
	if len(names)+len(missing) == 0 {
		return nil
	}
	if strictly(values["strict"]) {
		found := &args.Problems{}
		for _, name := range names {
			found.Invalid(name, "problem.unknown", nil)
		}
		if len(missing) > 0 {
			found.Invalid("_fields", "problem.fields", map[string]any{"Names": strings.Join(missing, ", ")})
		}
		return found
	}
	for _, key := range missing {
		names = append(names, "_fields."+key)
	}
	shown := names[:min(len(names), mostIgnored)]
	for i := range shown {
		shown[i] = url.PathEscape(shown[i][:min(len(shown[i]), 64)])
	}
	c.Set("X-Kalends-Ignored", strings.Join(shown, ", "))
	return nil
}

// missing returns the requested keys that no response of the route has.
func (r *Route) missing(fields string) []string {
	if fields == "" || r.Answers == "" {
		return nil
	}
	paths := strings.Split(fields, ",")
	for i := range paths {
		paths[i] = strings.TrimSpace(paths[i])
	}
	return schema.Unknown(r.Answers, paths)
}

// strictly parses the argument strict.
func strictly(value any) bool {
	asked := &common{}
	err := commonTable.Parse(args.Values{"strict": value}, args.Updating, asked)
	return err == nil && bool(asked.Strict.Or(false))
}
