package public

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// The weekly letter of a busy week with many exhibitions has all seven days, some exhibitions, and says that there is more.
func TestLetterOfABusyWeek(t *testing.T) {
	t.Parallel()
	k, post := lettersKit(t)
	for n := range 10 {
		stage(k, fmt.Sprintf("Show %d", n), "2027-04-01 10:00", kit.Object{"end_date": fmt.Sprintf("2027-06-%02d 18:00", n+1)})
	}
	first := thursday
	for day := range 7 {
		on := first.AddDate(0, 0, day).Format("2006-01-02")
		for n := range 8 {
			stage(k, fmt.Sprintf("Concert %d.%d", day, n), fmt.Sprintf("%s %02d:00", on, 10+n), nil)
		}
	}
	subscribed(k, post, "en", "", "all@example.net", "weekly")
	k.LettersAt(thursday)
	l := post.Next()
	for day := range 7 {
		if !strings.Contains(l.Text, fmt.Sprintf("Concert %d.", day)) || !strings.Contains(l.HTML, fmt.Sprintf("Concert %d.", day)) {
			t.Errorf("nothing of day %d", day)
		}
	}
	if shows := strings.Count(l.Text, "Show "); shows != 6 || !strings.Contains(l.Text, "Show 0") {
		t.Errorf("%d exhibitions, not the 6 that end first", shows)
	}
	if n := strings.Count(l.Text, "Concert "); n != 34 {
		t.Errorf("%d concerts", n)
	}
	if t.Failed() {
		t.Log(l.Text)
	}
}
