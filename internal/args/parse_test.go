package args_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/kalends/kalends/internal/args"
)

// everything has an argument of every type.
type everything struct {
	Text    args.Opt[string]      `arg:"text,required,nonempty,line,max=5"`
	Word    args.Opt[string]      `arg:"word,enum=one|two"`
	Bytes   args.Opt[string]      `arg:"bytes,bytes=4,nonull"`
	Switch  args.Opt[bool]        `arg:"switch,default=false"`
	Whole   args.Opt[int]         `arg:"whole,default=1,min=1,max=10"`
	Long    args.Opt[int64]       `arg:"long,min=0"`
	Number  args.Opt[float64]     `arg:"number,min=-1,max=1"`
	Any     args.Opt[any]         `arg:"any"`
	IDs     args.Opt[args.IDs]    `arg:"ids,entries=3"`
	Refs    args.Opt[args.Refs]   `arg:"refs,entries=3"`
	Texts   args.Opt[args.Texts]  `arg:"texts,entries=3,enum=a|b"`
	Truthy  args.Opt[args.Truthy] `arg:"truthy"`
	Date    args.Opt[args.Date]   `arg:"date"`
	Zone    args.Opt[args.Zone]   `arg:"zone"`
	URL     args.Opt[args.URL]    `arg:"url"`
	Email   args.Opt[args.Email]  `arg:"email"`
	Image   args.Opt[args.Image]  `arg:"image"`
	Unset   args.Opt[string]      `arg:"unset,default=null"`
	Today   args.Opt[string]      `arg:"today,computed=whatever"`
	Links   args.Opt[links]       `arg:"links,entries=4"`
	Objects args.Opt[objects]     `arg:"objects,entries=2"`
	Check1  args.Opt[bool]        `arg:"check"`
}

type (
	links   = args.Links[inner]
	objects = args.Objects[inner]
)

type inner struct {
	Name  args.Opt[string] `arg:"name,required,nonempty,max=5"`
	Count args.Opt[int]    `arg:"count,default=7"`
}

// Check reports the problem that the test requests.
func (e *everything) Check(found *args.Problems) {
	if e.Check1.Or(false) {
		found.Invalid("check", "problem.check", nil)
	}
}

var table = args.TableOf(reflect.TypeFor[everything]())

// n is a number as JSON has it.
func n(text string) json.Number { return json.Number(text) }

// parse parses values and returns the problems as "name: key" in order.
func parse(t testing.TB, values args.Values, mode args.Mode) (everything, string) {
	t.Helper()
	var e everything
	err := table.Parse(values, mode, &e)
	if err == nil {
		return e, ""
	}
	var problems *args.Problems
	if !errors.As(err, &problems) {
		t.Fatalf("%T is no problem: %v", err, err)
	}
	list := problems.Absent()
	for i, name := range list {
		list[i] = name + ": missing"
	}
	for _, p := range problems.Broken() {
		kind := ""
		if p.Type {
			kind = " (type)"
		}
		list = append(list, p.Arg+": "+strings.TrimPrefix(p.Key, "problem.")+kind)
	}
	return e, strings.Join(list, ", ")
}

func TestModes(t *testing.T) {
	t.Parallel()
	for mode, want := range map[args.Mode]struct {
		problems string
		whole    int
		given    bool
	}{args.Reading: {"", 1, true}, args.Creating: {"text: missing", 0, false}, args.Updating: {"", 0, false}} {
		e, problems := parse(t, args.Values{}, mode)
		if problems != want.problems || e.Whole.Or(0) != want.whole || e.Switch.Given() != want.given {
			t.Errorf("mode %d: %q, whole %v, switch given %v", mode, problems, e.Whole.Or(0), e.Switch.Given())
		}
		if e.Unset.Given() || e.Today.Given() {
			t.Errorf("mode %d: defaults of null and of computed are no values", mode)
		}
	}
	if _, problems := parse(t, args.Values{"text": nil, "whole": "x"}, args.Creating); problems != "text: missing" {
		t.Errorf("null in a required argument: %q", problems)
	}
	if _, problems := parse(t, args.Values{"text": nil}, args.Updating); problems != "text: null (type)" {
		t.Errorf("null in a required argument of an update: %q", problems)
	}
}

func TestAllAtOnce(t *testing.T) {
	t.Parallel()
	_, problems := parse(t, args.Values{"text": "too long", "whole": n("99"), "ids": "x", "check": true, "other": "ignored"}, args.Creating)
	if want := "text: length, whole: max, ids: ids"; problems != want {
		t.Errorf("%q, want %q", problems, want)
	}
	if _, problems := parse(t, args.Values{"check": true}, args.Updating); problems != "check: check" {
		t.Errorf("rules across fields: %q", problems)
	}
}

func TestOpt(t *testing.T) {
	t.Parallel()
	target := "old"
	var none args.Opt[string]
	if none.Patch(&target, "zero"); target != "old" || none.Given() || none.IsNull() {
		t.Errorf("absent: %q", target)
	}
	if args.Some("new").Patch(&target, "zero"); target != "new" {
		t.Errorf("set: %q", target)
	}
	null := args.Null[string]()
	if null.Patch(&target, "zero"); target != "zero" || !null.Given() || !null.IsNull() || null.Or("x") != "x" {
		t.Errorf("null: %q", target)
	}
	e, problems := parse(t, args.Values{"word": nil, "bytes": nil}, args.Updating)
	if !e.Word.IsNull() || problems != "bytes: null (type)" {
		t.Errorf("null: %v, %q", e.Word, problems)
	}
}

func TestWithin(t *testing.T) {
	t.Parallel()
	err := args.Within("venue", args.Invalid("image", "problem.image", nil))
	var found *args.Problems
	if !errors.As(err, &found) || found.Broken()[0].Arg != "venue" {
		t.Errorf("within: %v", err)
	}
	if inner, ok := found.Broken()[0].Data["Problem"].(args.Problem); !ok || inner.Key != "problem.image" {
		t.Errorf("within: %v", found.Broken()[0].Data)
	}
	other := errors.New("other")
	if args.Within("venue", other) != other || args.Within("venue", nil) != nil {
		t.Error("other errors stay as they are")
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{}`, `{"text":"x","whole":"2.0","ids":"1,2","refs":[1,"a"],"links":[{"name":"x"},3]}`,
		`{"date":"+1 week","zone":"utc+2","url":"http://x/","email":"a@b","image":"7","number":1e400,"objects":[{"name":"x"}]}`,
		`{"ids":[[1]],"refs":{"a":1},"texts":[null],"truthy":{},"switch":2,"long":"9223372036854775808","whole":-0.0}`,
		`{"date":"0000-00-00 00:00:00","zone":"","image":1,"any":[{}],"bytes":"\u0000","word":"three","text":"äöüß€x"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		decoder := json.NewDecoder(strings.NewReader(string(body)))
		decoder.UseNumber()
		var values args.Values
		if decoder.Decode(&values) != nil {
			return
		}
		for _, mode := range []args.Mode{args.Reading, args.Creating, args.Updating} {
			e, problems := parse(t, values, mode)
			again, same := parse(t, values, mode)
			if problems != same || !reflect.DeepEqual(e.Whole, again.Whole) {
				t.Fatalf("not the same twice: %q, %q", problems, same)
			}
			if problems != "" {
				continue
			}
			if whole, ok := e.Whole.Get(); ok && (whole < 1 || whole > 10) {
				t.Errorf("whole %d is out of its bounds", whole)
			}
			for _, id := range e.IDs.Or(nil) {
				if id < 1 {
					t.Errorf("id %d", id)
				}
			}
			if text, ok := e.Text.Get(); ok && (text == "" || len([]rune(text)) > 5 || strings.Contains(text, "\x00")) {
				t.Errorf("text %q", text)
			}
			if len(e.Links.Or(nil)) > 4 || len(e.Objects.Or(nil)) > 2 || len(e.Texts.Or(nil)) > 3 {
				t.Errorf("long lists: %s", body)
			}
		}
	})
}

// ParseAll reports everything at once: missing arguments, invalid ones, and what the struct's Check finds in the
// rest.
func TestParseAll(t *testing.T) {
	t.Parallel()
	type fields struct {
		Name  args.Opt[string] `arg:"name,required"`
		Count args.Opt[int64]  `arg:"count,min=1"`
		Note  args.Opt[string] `arg:"note,max=3"`
	}
	got := fields{}
	err := args.TableOf(reflect.TypeFor[fields]()).ParseAll(args.Values{"count": "0", "note": "fin"}, args.Creating, &got)
	var found *args.Problems
	if !errors.As(err, &found) || len(found.Absent()) != 1 || len(found.Broken()) != 1 || found.Broken()[0].Arg != "count" {
		t.Errorf("found %v", err)
	}
	if got.Note.Or("") != "fin" {
		t.Errorf("what is right is lost: %+v", got)
	}
}
