package platform

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	store "github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// counted lists requests as "begin site requests/limited/full/busy/errors".
func counted(k *kit.Kit, query string) string {
	k.T.Helper()
	a := k.Provider("GET", "/requests"+query, nil).Want(k.T, 200, "")
	var list []string
	for i := range kit.ListOf(a.At("requests")) {
		at := func(name string) any { return a.At(fmt.Sprintf("requests.%d.%s", i, name)) }
		list = append(list, fmt.Sprintf("%.10v %v %v/%v/%v/%v/%v", at("begins"), at("site"), at("requests"), at("refused_limit"), at("refused_plan"),
			at("refused_busy"), at("errors")))
	}
	return strings.Join(list, ", ")
}

// A provider reads by program how many requests sites got by days and hours and altogether.
func TestRequests(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	if got := counted(k, ""); got != "" {
		t.Errorf("before there is a request: %s", got)
	}
	k.Site("alpha")
	for _, days := range []int{9, 1} {
		k.Must(store.AddTraffic(t.Context(), k.DB.Engine(), map[string]platform.Traffic{"demo": {Requests: 7, Limited: 1, Full: 2, Busy: 3, Errors: 4}, "alpha": {Requests: 5}}))
		_, err := k.DB.Across("a test lets days pass").Exec(t.Context(), `UPDATE provider_traffic SET begins = begins - $1::interval`, time.Duration(days)*24*time.Hour)
		k.Must(err)
	}
	today := time.Now().UTC() // the database counts by its own clock
	day := func(back int) string { return today.AddDate(0, 0, -back).Format(time.DateOnly) }
	first, last := day(10), day(1)
	one := func(day string) string { return day + " alpha 5/0/0/0/0, " + day + " demo 7/1/2/3/4" }
	for query, want := range map[string]string{
		"":                                   one(first) + ", " + one(last),
		"?span=day&from=" + last:             one(last),
		"?to=" + first:                       one(first),
		"?to=" + day(11):                     "",
		"?site=demo&per_page=1&page=2":       last + " demo 7/1/2/3/4",
		"?site=nobody":                       "",
		"?span=whole":                        first + " alpha 10/0/0/0/0, " + first + " demo 14/2/4/6/8",
		"?span=whole&from=" + last:           one(last),
		"?span=hour&site=alpha&from=" + last: last + " alpha 5/0/0/0/0",
	} {
		if got := counted(k, query); got != want {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
	}
	k.Provider("GET", "/requests?span=whole&per_page=1&from="+first, nil).Want(t, 200, "").Has(t, "total", 2, "total_pages", 2,
		"next_rest_url", "http://localhost/platform/v1/requests/?per_page=1&span=whole&from="+first+"&page=2")
	for _, wrong := range []string{"span=week", "page=0", "from=never", "from=" + last + "&to=" + first} {
		k.Provider("GET", "/requests?"+wrong, nil).Want(t, http.StatusBadRequest, "rest_invalid_param")
	}
	for as, code := range map[string]string{"": "rest_forbidden", "administrator": "rest_invalid_credentials"} {
		k.Send(kit.Request{Method: "GET", Path: "//platform/v1/requests", As: as}).Want(t, 401, code)
	}
}
