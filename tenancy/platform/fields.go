package platform

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// FieldDefinition are the arguments of a field that a site adds to its events and venues (rule 23.1).
type FieldDefinition struct {
	Key      args.Opt[string]                     `arg:"key,nonempty,nonull,max=40"`
	Kind     args.Opt[string]                     `arg:"kind,required,nonempty,enum=text|choice|yes_no|number|link|date"`
	Of       args.Opt[args.Texts]                 `arg:"of,default=event,nonull,enum=event|venue"`
	Label    args.Opt[string]                     `arg:"label,required,nonempty,line,max=200"`
	Hint     args.Opt[string]                     `arg:"hint,line,max=500"`
	Unit     args.Opt[string]                     `arg:"unit,line,max=40"`
	Options  args.Opt[args.Objects[OptionFields]] `arg:"options,entries=50"`
	Position args.Opt[int]                        `arg:"position,min=1,max=30,nonull"`
	Public   args.Opt[bool]                       `arg:"public,default=true,nonull"`
	Filter   args.Opt[bool]                       `arg:"filter,default=false,nonull"`
	Archived args.Opt[bool]                       `arg:"archived,default=false,nonull"`
	Texts    args.Opt[args.Named[FieldTexts]]     `arg:"translations,entries=100"`
}

// OptionFields are the arguments of one option of a choice.
type OptionFields struct {
	Key   args.Opt[string] `arg:"key,max=40"`
	Label args.Opt[string] `arg:"label,required,nonempty,line,max=200"`
}

// FieldTexts are the arguments of a field's texts in one language.
type FieldTexts struct {
	Label   args.Opt[string]       `arg:"label,line,max=200"`
	Hint    args.Opt[string]       `arg:"hint,line,max=500"`
	Unit    args.Opt[string]       `arg:"unit,line,max=40"`
	Options args.Opt[args.Members] `arg:"options,entries=50"`
}

// FieldUse is how many events and venues have a value in a field.
type FieldUse struct{ Events, Venues int }

// ErrNoField says that the site has no such field.
var ErrNoField = errors.New("no such field")

// Fields returns the fields of the Scope's site that the principal may see, in their order, and the version of the
// site. People who write events see all fields, archived ones included.
func (s *Sites) Fields(ctx context.Context) ([]tenancy.Field, int64, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, 0, err
	}
	if scope.Principal.MayRead(tenancy.EditOwn) {
		return scope.Site.Fields, scope.Site.Version, nil
	}
	list := slices.DeleteFunc(slices.Clone(scope.Site.Fields), func(f tenancy.Field) bool { return f.Archived || !f.Public })
	return list, scope.Site.Version, nil
}

// Field returns a field that the principal may see, or ErrNoField.
func (s *Sites) Field(ctx context.Context, key string) (*tenancy.Field, error) {
	list, _, err := s.Fields(ctx)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if list[i].Key == key {
			return &list[i], nil
		}
	}
	return nil, ErrNoField
}

// EditableField returns a field, or ErrNoField. It is for people who may change the field.
func (s *Sites) EditableField(ctx context.Context, key string) (*tenancy.Field, error) {
	if _, err := managing(ctx); err != nil {
		return nil, err
	}
	return s.Field(ctx, key)
}

// FieldUse returns how many events and venues have a value in a field. It is for people who may define fields.
func (s *Sites) FieldUse(ctx context.Context, key string) (FieldUse, error) {
	scope, err := managing(ctx)
	if err != nil {
		return FieldUse{}, err
	}
	use, err := s.store.FieldUse(ctx, scope.Site.ID, key)
	return use, tenancy.Wrap("count what has a field", err)
}

// CreateField adds a field to the Scope's site. It returns *args.Problems, also if the site already has tenancy.MostFields.
func (s *Sites) CreateField(ctx context.Context, d *FieldDefinition) (*tenancy.Field, error) {
	return s.changeFields(ctx, "", func(site *tenancy.Site) (string, error) {
		found := &args.Problems{}
		if len(site.Fields) >= tenancy.MostFields {
			return "", args.Invalid("label", "problem.field.most", map[string]any{"Max": tenancy.MostFields})
		}
		f := tenancy.Field{Kind: tenancy.FieldKind(d.Kind.Or("")), Public: true, Of: []string{tenancy.FieldOfEvents}}
		taken := make([]string, 0, len(site.Fields))
		for i := range site.Fields {
			taken = append(taken, site.Fields[i].Key)
		}
		switch key, given := d.Key.Get(); {
		case !given:
			f.Key = fieldKey(d.Label.Or(""), "field", taken)
		case !tenancy.FieldKey(key):
			found.Invalid("key", "problem.field.key", nil)
		case slices.Contains(taken, key):
			found.Invalid("key", "problem.field.taken", nil)
		default:
			f.Key = key
		}
		d.apply(&f, site, found)
		site.Fields = placeField(append(slices.Clone(site.Fields), f), len(site.Fields), d.Position)
		return f.Key, found.Err()
	})
}

// UpdateField changes the parts of a field that are sent. The key and the kind cannot change. It returns ErrNoField
// and *args.Problems.
func (s *Sites) UpdateField(ctx context.Context, key string, d *FieldDefinition, cond tenancy.Condition) (*tenancy.Field, error) {
	return s.changeFields(ctx, "", func(site *tenancy.Site) (string, error) {
		at, err := fieldAt(site, key, cond)
		if err != nil {
			return "", err
		}
		found := &args.Problems{}
		site.Fields = slices.Clone(site.Fields)
		f := &site.Fields[at]
		if d.Key.Or(key) != key {
			found.Invalid("key", "problem.field.stays", nil)
		}
		if d.Kind.Or(string(f.Kind)) != string(f.Kind) {
			found.Invalid("kind", "problem.field.stays", nil)
		}
		d.apply(f, site, found)
		site.Fields = placeField(site.Fields, at, d.Position)
		return key, found.Err()
	})
}

// DeleteField removes a field with its values in events and venues, and returns it. It returns ErrNoField.
func (s *Sites) DeleteField(ctx context.Context, key string, cond tenancy.Condition) (*tenancy.Field, error) {
	var gone tenancy.Field
	_, err := s.changeFields(ctx, key, func(site *tenancy.Site) (string, error) {
		at, err := fieldAt(site, key, cond)
		if err != nil {
			return "", err
		}
		gone = site.Fields[at]
		site.Fields = slices.Delete(slices.Clone(site.Fields), at, at+1)
		return "", nil
	})
	return &gone, err
}

// fieldAt returns the index of a field, or the error of the condition.
func fieldAt(site *tenancy.Site, key string, cond tenancy.Condition) (int, error) {
	at := slices.IndexFunc(site.Fields, func(f tenancy.Field) bool { return f.Key == key })
	if at < 0 {
		return 0, ErrNoField
	}
	return at, cond.Check(site.Fields[at].Version)
}

// changeFields stores a change of the fields of the Scope's site. It deletes the values of the field with the key
// goes, unless that is "". It returns the field whose key change returns.
func (s *Sites) changeFields(ctx context.Context, goes string, change func(*tenancy.Site) (string, error)) (*tenancy.Field, error) {
	scope, err := managing(ctx)
	if err != nil {
		return nil, err
	}
	key := ""
	site, err := s.store.ConfigureFields(ctx, scope.Site.Slug, goes, func(site *tenancy.Site) (err error) {
		if site.ID != scope.Site.ID {
			return tenancy.ErrNoSite
		}
		key, err = change(site)
		return err
	})
	if err != nil {
		return nil, tenancy.Wrap("change fields", err)
	}
	s.forget(site.ID)
	return site.FieldNamed(key), nil
}

// apply writes the arguments into a field.
func (d *FieldDefinition) apply(f *tenancy.Field, site *tenancy.Site, found *args.Problems) {
	if of, given := d.Of.Get(); given {
		f.Of = slices.Compact(slices.Sorted(slices.Values(of)))
		if f.Of = slices.DeleteFunc(f.Of, func(one string) bool { return one == "" }); len(f.Of) == 0 {
			found.Invalid("of", "problem.empty", nil)
		}
	}
	d.Public.Patch(&f.Public, true)
	d.Filter.Patch(&f.Filter, false)
	d.Archived.Patch(&f.Archived, false)
	texts := maps.Clone(f.Texts)
	if texts == nil {
		texts = map[string]tenancy.FieldText{}
	}
	own := texts[site.Language]
	d.Label.Patch(&own.Label, "")
	d.Hint.Patch(&own.Hint, "")
	d.Unit.Patch(&own.Unit, "")
	if own.Label = args.Visible(own.Label); d.Label.Given() && own.Label == "" {
		found.Invalid("label", "problem.blank", nil)
	}
	texts[site.Language] = own
	if d.Options.Given() {
		d.options(f, texts, site.Language, found)
	}
	d.translate(f, texts, site, found)
	f.Texts = texts
	switch {
	case f.Kind == tenancy.ChoiceField && len(f.Options) == 0:
		found.Invalid("options", "problem.field.options", nil)
	case f.Kind != tenancy.ChoiceField && len(f.Options) > 0:
		found.Invalid("options", "problem.field.no_options", nil)
	}
	if f.Filter && (!f.Kind.Filters() || !f.Public || !slices.Contains(f.Of, tenancy.FieldOfEvents)) {
		if d.Filter.Given() {
			found.Invalid("filter", "problem.field.filter", nil)
		}
		f.Filter = false
	}
}

// options sets the options of a choice. Options keep their keys; an option without a key gets the key of the former
// option with the same label, or a new key.
func (d *FieldDefinition) options(f *tenancy.Field, texts map[string]tenancy.FieldText, language string, found *args.Problems) {
	labels := texts[language].Options
	known := func(label string) string {
		for key, one := range labels {
			if one == label {
				return key
			}
		}
		return ""
	}
	list, now := []string{}, map[string]string{}
	sent := d.Options.Or(nil)
	for i := range sent { // keys that were sent have priority over keys derived from labels
		if key := sent[i].Key.Or(""); key != "" && (!tenancy.FieldKey(key) || slices.Contains(list, key)) {
			found.Invalid("options", "problem.field.option_key", map[string]any{"Key": args.Shortened(key)})
			return
		} else if key != "" {
			list = append(list, key)
		}
	}
	named := list
	list = nil
	for i := range sent {
		label := args.Visible(sent[i].Label.Or(""))
		key := sent[i].Key.Or("")
		if key == "" {
			key = known(label)
		}
		if key == "" || sent[i].Key.Or("") == "" && slices.Contains(named, key) {
			key = fieldKey(label, "option", slices.Concat(named, list, slices.Collect(maps.Keys(labels))))
		}
		if slices.Contains(list, key) {
			found.Invalid("options", "problem.field.option_key", map[string]any{"Key": key})
			return
		}
		list, now[key] = append(list, key), label
	}
	f.Options = list
	for tag, text := range texts {
		text.Options = maps.Clone(text.Options)
		maps.DeleteFunc(text.Options, func(key, _ string) bool { return !slices.Contains(list, key) })
		if tag == language {
			text.Options = now
		}
		texts[tag] = text
	}
}

// translate sets translations; null removes the translation into a language.
func (d *FieldDefinition) translate(f *tenancy.Field, texts map[string]tenancy.FieldText, site *tenancy.Site, found *args.Problems) {
	said := d.Texts.Or(nil)
	for _, language := range slices.Sorted(maps.Keys(said)) {
		where, t := "translations."+language, said[language]
		switch {
		case !site.Speaks(language):
			found.Invalid(where, "problem.content_language", map[string]any{"Allowed": strings.Join(site.Written(), ", ")})
			continue
		case t == nil && language == site.Language:
			found.Invalid(where, "problem.content_language.own", nil)
			continue
		case t == nil:
			delete(texts, language)
			continue
		}
		now := texts[language]
		t.Label.Patch(&now.Label, "")
		now.Label = args.Visible(now.Label)
		t.Hint.Patch(&now.Hint, "")
		t.Unit.Patch(&now.Unit, "")
		if options, given := t.Options.Get(); given || t.Options.IsNull() {
			now.Options = map[string]string{}
			for _, key := range slices.Sorted(maps.Keys(options)) {
				field := args.Field{Declared: "string", Line: true, Max: new(200.0)}
				label, ok := args.As[string](options[key], field, where+".options", found)
				switch {
				case ok && !slices.Contains(f.Options, key):
					found.Invalid(where+".options", "problem.field.option_key", map[string]any{"Key": key})
				case ok && args.Visible(label) != "":
					now.Options[key] = args.Visible(label)
				}
			}
		}
		texts[language] = now
	}
}

// placeField moves the field at an index to a position, counted from 1.
func placeField(list []tenancy.Field, at int, position args.Opt[int]) []tenancy.Field {
	to, given := position.Get()
	if !given {
		return list
	}
	f := list[at]
	list = slices.Delete(list, at, at+1)
	return slices.Insert(list, min(to-1, len(list)), f)
}

// fieldKey makes a key from a label, or from word if no letter of the label can be in a key. The key differs from
// those in taken.
func fieldKey(label, word string, taken []string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(label) {
		switch plain, special := plainLetters[c]; {
		case special:
			b.WriteString(plain)
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			b.WriteRune(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
		if b.Len() >= 30 {
			break
		}
	}
	base := strings.Trim(b.String(), "_")
	if base == "" || base == "id" {
		base = word
	}
	key := base
	for n := 2; slices.Contains(taken, key); n++ {
		key = base + "_" + strconv.Itoa(n)
	}
	return key
}

// plainLetters maps letters of Latin alphabets to the letters that replace them in keys.
var plainLetters = func() map[rune]string {
	letters := map[rune]string{
		'ä': "ae", 'ö': "oe", 'ü': "ue", 'ß': "ss", 'æ': "ae", 'ø': "oe", 'å': "aa", 'œ': "oe", 'ł': "l", 'đ': "d", 'ı': "i",
	}
	for plain, list := range map[string]string{
		"a": "áàâãāăą", "c": "çćčĉċ", "d": "ď", "e": "éèêëēėęě", "g": "ğģĝ", "i": "íìîïīį", "k": "ķ", "l": "ĺľļ",
		"n": "ñńňņ", "o": "óòôõōő", "r": "řŕ", "s": "śšşș", "t": "ťţț", "u": "úùûūůűų", "y": "ýÿ", "z": "źżž",
	} {
		for _, c := range list {
			letters[c] = plain
		}
	}
	return letters
}()
