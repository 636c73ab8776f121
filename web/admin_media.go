package web

import (
	"errors"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// mediaList is a page of the media library.
type mediaList struct {
	form     *form
	items    []*calendar.Image
	total    int
	page     int
	problems []pair // name of a file, what is wrong with it
}

// mediaEditor is one picture, with where it is used.
type mediaEditor struct {
	form   *form
	image  *calendar.Image
	uses   []calendar.ImageUse
	hidden int // uses that whoever asks may not see
	sure   bool
}

const mediaPath = adminRoot + "/media"

func (w *admin) routesOfMedia() []adminRoute {
	const get, post = http.MethodGet, http.MethodPost
	return []adminRoute{
		{get, "/media", tenancy.EditOwn, w.listMedia, false},
		{post, "/media", tenancy.Upload, w.uploadMedia, false},
		{get, "/media/#", tenancy.EditOwn, w.showMedia, false},
		{post, "/media/#", tenancy.Upload, w.changeMedia, false},
	}
}

func (w *admin) listMedia(v *visit) (*reply, error) {
	return w.mediaReply(v, &mediaList{form: &form{kind: "media", values: v.query}}, 0)
}

func (w *admin) mediaReply(v *visit, l *mediaList, status int) (*reply, error) {
	l.page = int(min(max(idIn(l.form.get("page")), 1), 1_000_000))
	found, err := w.calendar.Images().List(v.ctx, calendar.ImageFilter{Search: cut(l.form.get("search"), 200),
		Unused: l.form.get("unused") == "1", Page: l.page, PerPage: picturesPerPage})
	if errors.Is(err, calendar.ErrPage) {
		return &reply{redirect: l.address(1)}, nil
	}
	if err != nil {
		return nil, err
	}
	l.items, l.total = found.Items, found.Total
	return &reply{status: status, title: tell(v.ctx, "nav.media"), section: "media", body: mediaListPage(l),
		scripts: []string{"media.js"}}, nil
}

func (l *mediaList) pages() int { return (l.total + picturesPerPage - 1) / picturesPerPage }

// address is the list's at a page.
func (l *mediaList) address(page int) string {
	q := url.Values{}
	for _, name := range []string{"search", "unused"} {
		if text := l.form.get(name); text != "" {
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

// uploadMedia stores the files of a form; what is wrong with one of them is said
// beside its name, and the others are kept. A script sends them one by one.
func (w *admin) uploadMedia(v *visit) (*reply, error) {
	l := &mediaList{form: &form{kind: "media", values: url.Values{}}}
	stored := 0
	var last *calendar.Image
	for _, header := range v.form.uploads {
		if header.Filename == "" {
			continue
		}
		one := &form{}
		image, err := w.storeUpload(v, header)
		switch {
		case err == nil:
			stored++
			last = image
		case one.refuse(v.ctx, err):
			for _, text := range one.problems {
				l.problems = append(l.problems, pair{header.Filename, text})
			}
		default:
			return nil, err
		}
	}
	switch {
	case len(l.problems) > 0 && v.part:
		return partReply(http.StatusUnprocessableEntity, imageWrong(l.problems[0].Value)), nil
	case len(l.problems) > 0:
		return w.mediaReply(v, l, http.StatusUnprocessableEntity)
	case stored == 0 && v.part:
		return partReply(http.StatusUnprocessableEntity, imageWrong(tell(v.ctx, "said.none"))), nil
	case stored == 0:
		return &reply{redirect: mediaPath, say: "none"}, nil
	case v.part:
		return partReply(0, mediaAdded(last)), nil
	}
	return &reply{redirect: mediaPath, say: "uploaded", count: stored}, nil
}

// storeUpload stores one file of a form.
func (w *admin) storeUpload(v *visit, header *multipart.FileHeader) (*calendar.Image, error) {
	file, err := header.Open()
	if err != nil {
		return nil, err
	}
	image, err := w.calendar.Images().Upload(v.ctx, header.Filename, file)
	_ = file.Close()
	return image, err
}

func (w *admin) mediaAt(v *visit) (*mediaEditor, error) {
	image, err := w.calendar.Images().Get(v.ctx, v.id)
	if err != nil {
		return nil, err
	}
	ed := &mediaEditor{image: image, form: &form{kind: "media", values: url.Values{"alt": {image.Alt}, "version": {idText(image.Version)}}}}
	ed.uses, ed.hidden, err = w.calendar.Images().Uses(v.ctx, v.id)
	return ed, err
}

func (w *admin) showMedia(v *visit) (*reply, error) {
	ed, err := w.mediaAt(v)
	if err != nil {
		return nil, err
	}
	return ed.reply(0), nil
}

func (ed *mediaEditor) reply(status int) *reply {
	return &reply{status: status, title: ed.image.File, section: "media", body: mediaImagePage(ed)}
}

// changeMedia stores the alternative text, or deletes the picture when that was
// asked twice.
func (w *admin) changeMedia(v *visit) (*reply, error) {
	ed, err := w.mediaAt(v)
	if err != nil {
		return nil, err
	}
	if v.form.get("do") == "delete" {
		if v.form.get("sure") == "" {
			ed.sure = true
			return ed.reply(0), nil
		}
		if _, err := w.calendar.Images().Delete(v.ctx, v.id); err != nil {
			return nil, err
		}
		return &reply{redirect: mediaPath, say: "delete", count: 1}, nil
	}
	ed.form = v.form
	ed.form.kind = "media"
	status, said := 0, tell(v.ctx, "said.saved")
	if _, err := w.calendar.Images().Describe(v.ctx, v.id, v.form.get("alt"), nil); err != nil {
		if !ed.form.refuse(v.ctx, err) {
			return nil, err
		}
		status, said = http.StatusUnprocessableEntity, ""
	}
	switch {
	case v.part:
		return partReply(status, mediaWords(ed.image, ed.form, said)), nil
	case status != 0:
		return ed.reply(status), nil
	}
	return &reply{redirect: mediaPath + "/" + idText(v.id), say: "saved"}, nil
}

// mediaAddress is the page of a picture.
func mediaAddress(i *calendar.Image) string { return mediaPath + "/" + idText(i.ID) }

// useAddress is where what shows a picture is edited.
func useAddress(u *calendar.ImageUse) string { return adminRoot + "/" + u.Kind + "s/" + idText(u.ID) }
