package reading

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// TestEncodingsOfTables: a table is in the encoding in which its columns are known. If Windows-1252 is only supposed, letters that
// it would hardly have are doubted.
func TestEncodingsOfTables(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in          encoding.Encoding
		table, want string
		doubted     bool
	}{
		{japanese.ShiftJIS, "タイトル,日付\n市民コンサート,2027年3月6日\n", "市民コンサート", false},
		{simplifiedchinese.GB18030, "标题,日期\n音乐会,2027年3月6日\n", "音乐会", false},

		{korean.EUCKR, "제목,날짜\n음악회,2027년 3월 6일\n", "음악회", false},
		{charmap.Windows1251, "Назва;Дата\nКонцерт;6.3.2027\n", "Концерт", false},
		{charmap.Windows1253, "Τίτλος;Ημερομηνία\nΣυναυλία;6.3.2027\n", "Συναυλία", false},
		{charmap.Windows1252, "Titel;Datum\n„Käse“ für Größe – L’été, 20°C, 5 m², ÖPNV, 12 €/½ Tag, ÄÖÜ, ¡Olé! §5;6.3.2027\n",
			"„Käse“ für Größe – L’été, 20°C, 5 m², ÖPNV, 12 €/½ Tag, ÄÖÜ, ¡Olé! §5", false},
		{charmap.Windows1250, "Nazwa;Data\nŁódź śpiewa;6.3.2027\n", "£ódŸ œpiewa", true},
		{charmap.CodePage850, "Titel;Datum\nGröße;6.3.2027\n", "Gr”áe", true},
		{charmap.Macintosh, "Titel;Datum\nGröße;6.3.2027\n", "Grš§e", true},
		{charmap.Windows1251, "Title;Date\nКонцерт;6.3.2027\n", "Êîíöåðò", true},
		{japanese.ShiftJIS, "Title,Date\nコンサート,2027-03-06\n", "ƒRƒ“ƒT\ufffd[ƒg", true},
	} {
		data, err := c.in.NewEncoder().String(c.table)
		if err != nil {
			continue // it has letters that the encoding lacks
		}
		file, err := Read([]byte(data), Options{Zone: zone(t, "Europe/Berlin")})
		if err != nil {
			if c.want != "" {
				t.Errorf("%v: %v", c.in, err)
			}
			continue
		}
		for e := range file.Entries {
			doubted := strings.Contains(strings.Join(findings(e.Warnings), " "), "letters-doubtful")
			if e.Title != c.want || doubted != c.doubted {
				t.Errorf("%v: %s, doubted %v", c.in, e.Title, doubted)
			}
		}
	}
}

// TestEncodingsOfPages: pages are in the encoding that they name, else in Windows-1252.
func TestEncodingsOfPages(t *testing.T) {
	t.Parallel()
	const event = `<p itemscope itemtype="http://schema.org/Event"><b itemprop="name">%</b><time itemprop="startDate" datetime="2027-03-01T19:00"></time></p>`
	for _, c := range []struct {
		in          encoding.Encoding
		head, title string
	}{
		{charmap.Windows1252, `<meta charset="iso-8859-1">`, "Größe"},
		{charmap.Windows1252, "", "Größe"},
		{charmap.Windows1250, `<meta charset=windows-1250>`, "Łódź"},
		{japanese.ShiftJIS, `<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">`, "コンサート"},
		{charmap.Windows1252, `[{"title": "Größe", "start_date": "2027-03-01", "end_date": "2027-03-01"}]`, "Größe"},
	} {
		text := c.head
		if !strings.HasPrefix(text, "[") {
			text = "<html><head>" + c.head + "</head>" + strings.ReplaceAll(event, "%", c.title) + "</html>"
		}
		data, err := c.in.NewEncoder().String(text)
		if err != nil {
			t.Fatal(err)
		}
		file, err := Read([]byte(data), Options{Zone: zone(t, "Europe/Berlin")})
		if err != nil {
			t.Fatal(err)
		}
		for e := range file.Entries {
			if e.Title != c.title || len(e.Warnings) > 0 {
				t.Errorf("%v %s: %s %v", c.in, c.head, e.Title, e.Warnings)
			}
		}
	}
}
