package pictures

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/texts"
)

// mediaList is a page of the media library.
type mediaList struct {
	form     *frame.Form
	items    []*calendar.Image
	total    int
	page     int
	problems []frame.Pair // name of a file, and the problem with it
}

// mediaEditor is the form for one picture, with the entries that use it.
type mediaEditor struct {
	form   *frame.Form
	image  *calendar.Image
	uses   []calendar.ImageUse
	hidden int // number of uses that the principal may not see
	sure   bool
	late   bool // it was changed, or is used elsewhere, since the page was shown
}

const mediaPath = frame.AdminRoot + "/media"

func (w *Pages) listMedia(v *frame.Visit) (*frame.Reply, error) {
	return w.mediaReply(v, &mediaList{form: &frame.Form{Kind: "media", Values: v.Query}}, 0)
}

func (w *Pages) mediaReply(v *frame.Visit, l *mediaList, status int) (*frame.Reply, error) {
	l.page = int(min(max(frame.IDIn(l.form.Get("page")), 1), 1_000_000))
	found, err := w.images.List(v.Ctx, services.ImageFilter{Search: frame.Cut(l.form.Get("search"), 200),
		Unused: l.form.Get("unused") == "1", Page: l.page, PerPage: perPage})
	if errors.Is(err, calendar.ErrPage) {
		return &frame.Reply{Redirect: l.address(1)}, nil
	}
	if err != nil {
		return nil, err
	}
	l.items, l.total = found.Items, found.Total
	return &frame.Reply{
		Status:  status,
		Title:   frame.Tell(v.Ctx, "nav.media"),
		Section: "media",
		Body:    mediaListPage(l),
		Script:  "pictures.js",
	}, nil
}

func (l *mediaList) pages() int { return (l.total + perPage - 1) / perPage }

// address returns the address of a page of the list.
func (l *mediaList) address(page int) string {
	q := url.Values{}
	for _, name := range []string{"search", "unused"} {
		if text := l.form.Get(name); text != "" {
			q.Set(name, text)
		}
	}
	if page > 1 {
		q.Set("page", strconv.Itoa(page))
	}
	if len(q) == 0 {
		return mediaPath
	}
	return mediaPath + "?" + q.Encode()
}

// uploadMedia stores the files of a form. If a file has a problem, it shows the problem beside the file's name and
// stores the others. A script sends the files one by one.
func (w *Pages) uploadMedia(v *frame.Visit) (*frame.Reply, error) {
	l := &mediaList{form: &frame.Form{Kind: "media", Values: url.Values{}}}
	stored := 0
	var last *calendar.Image
	for _, header := range v.Form.Uploads {
		if header.Filename == "" {
			continue
		}
		one := &frame.Form{}
		image, err := w.store(v, header)
		switch {
		case err == nil:
			stored++
			last = image
		case one.Refuse(v.Ctx, err):
			for _, text := range one.Problems {
				l.problems = append(l.problems, frame.Pair{Name: header.Filename, Value: text})
			}
		default:
			return nil, err
		}
	}
	switch {
	case len(l.problems) > 0 && v.Part:
		return frame.PartReply(http.StatusUnprocessableEntity, imageWrong(l.problems[0].Value)), nil
	case len(l.problems) > 0:
		return w.mediaReply(v, l, http.StatusUnprocessableEntity)
	case stored == 0 && v.Part:
		return frame.PartReply(http.StatusUnprocessableEntity, imageWrong(frame.Tell(v.Ctx, "said.none"))), nil
	case stored == 0:
		return &frame.Reply{Redirect: mediaPath, Say: "none"}, nil
	case v.Part:
		return frame.PartReply(0, mediaAdded(last)), nil
	}
	return &frame.Reply{Redirect: mediaPath, Say: "uploaded", Count: stored}, nil
}

func (w *Pages) mediaAt(v *frame.Visit) (*mediaEditor, error) {
	image, err := w.images.Get(v.Ctx, v.ID)
	if err != nil {
		return nil, err
	}
	ed := &mediaEditor{
		image: image,
		form: &frame.Form{
			Kind:   "media",
			Values: url.Values{"alt": {image.Alt}, "focus_x": {strconv.Itoa(image.Focus.X)}, "focus_y": {strconv.Itoa(image.Focus.Y)}},
		},
	}
	texts.Fill(v.Ctx, ed.form, image.Texts)
	ed.uses, ed.hidden, err = w.images.Uses(v.Ctx, v.ID)
	return ed, err
}

// usesText encodes where the picture is used, for the form to send along.
func (ed *mediaEditor) usesText() string {
	list := make([]string, 0, len(ed.uses)+1)
	for _, u := range ed.uses {
		list = append(list, u.Kind+frame.IDText(u.ID))
	}
	slices.Sort(list)
	return strings.Join(append(list, strconv.Itoa(ed.hidden)), " ")
}

func (w *Pages) showMedia(v *frame.Visit) (*frame.Reply, error) {
	ed, err := w.mediaAt(v)
	if err != nil {
		return nil, err
	}
	return ed.reply(0), nil
}

func (ed *mediaEditor) reply(status int) *frame.Reply {
	if ed.late {
		status = http.StatusConflict
	}
	return &frame.Reply{Status: status, Title: ed.image.File, Section: "media", Body: mediaImagePage(ed), Script: "pictures.js"}
}

// changeMedia stores the alternative text. If the person has requested and confirmed it, it deletes the picture.
func (w *Pages) changeMedia(v *frame.Visit) (*frame.Reply, error) {
	ed, err := w.mediaAt(v)
	if err != nil {
		return nil, err
	}
	if v.Form.Get("do") == "delete" {
		if late := v.Form.Get("sure") != "" && v.Form.Get("uses") != ed.usesText(); late || v.Form.Get("sure") == "" {
			ed.sure, ed.late = true, late
			return ed.reply(0), nil
		}
		if _, err := w.images.Delete(v.Ctx, v.ID, nil); err != nil {
			return nil, err
		}
		return &frame.Reply{Redirect: mediaPath, Say: "delete", Count: 1}, nil
	}
	v.Form.Kind = "media"
	if v.Form.ShownAgain() {
		if v.Form.Has("alt") {
			ed.form = v.Form
		}
		return ed.reply(0), nil
	}
	alts := altsIn(v.Form, ed.form)
	ed.form = v.Form
	focus, wrong := focusIn(v.Form)
	if wrong != nil {
		ed.form.Refuse(v.Ctx, wrong)
		return ed.reply(http.StatusUnprocessableEntity), nil
	}
	status, said := 0, frame.Tell(v.Ctx, "said.saved")
	described, err := w.images.Describe(v.Ctx, v.ID, v.Form.Get("alt"), alts, focus, frame.SeenIn(v.Form).Still(v.ID))
	switch {
	case err == nil:
		ed.image = described
	case errors.Is(err, calendar.ErrPrecondition):
		ed.late = true
		if v.Part {
			return frame.PartReply(http.StatusConflict, mediaWords(ed.image, ed.form, frame.Tell(v.Ctx, "changed.one"))), nil
		}
		return ed.reply(0), nil
	default:
		if !ed.form.Refuse(v.Ctx, err) {
			return nil, err
		}
		status, said = http.StatusUnprocessableEntity, ""
	}
	switch {
	case v.Part:
		return frame.PartReply(status, mediaWords(ed.image, ed.form, said)), nil
	case status != 0:
		return ed.reply(status), nil
	}
	return &frame.Reply{Redirect: frame.Address("media", v.ID), Say: "saved"}, nil
}

// focusIn returns the focus that a form sets, or nil. It returns *args.Problems for numbers that are not
// percentages.
func focusIn(f *frame.Form) (*calendar.Focus, error) {
	if !f.Has("focus_x") || !f.Has("focus_y") {
		return nil, nil //nolint:nilnil // a form without a focus is no error
	}
	focus, found := &calendar.Focus{}, &args.Problems{}
	for name, to := range map[string]*int{"focus_x": &focus.X, "focus_y": &focus.Y} {
		n, err := strconv.Atoi(f.Get(name))
		switch {
		case err != nil:
			found.Invalid(name, "problem.type.integer", nil)
		case n < 0:
			found.Invalid(name, "problem.min", map[string]any{"Min": 0})
		case n > 100:
			found.Invalid(name, "problem.max", map[string]any{"Max": 100})
		}
		*to = n
	}
	return focus, found.Err()
}

// altsIn returns the alternative texts of a form in the other languages that differ from the stored ones.
func altsIn(f, now *frame.Form) map[string]string {
	all := map[string]string{}
	for language, said := range texts.Changed(f, now) {
		if alt, is := said["alt"]; is {
			all[language] = alt
		}
	}
	return all
}

// mediaAddress returns the address of a picture's page.
func mediaAddress(i *calendar.Image) string { return frame.Address("media", i.ID) }

// useSections are the sections of the administration for editing an item that shows a picture, by the item's kind.
var useSections = map[string]string{"event": "events", "venue": "venues", "organizer": "organizers", "category": "categories",
	"tag": "tags", "site": "settings"}

// useAddress returns the address for editing an item that shows a picture, or "" if the principal may not edit it.
func useAddress(p tenancy.Principal, u *calendar.ImageUse) string {
	may := false
	switch u.Kind {
	case "category", "tag":
		may = p.May(calendar.Taxonomy(u.Kind).Right())
	case "site":
		if p.May(tenancy.ManageSite) {
			return frame.AdminRoot + "/settings/design"
		}
	default:
		may = calendar.MayEdit(p, &u.Post) && !u.Trashed()
	}
	if !may {
		return ""
	}
	return frame.Address(useSections[u.Kind], u.ID)
}
