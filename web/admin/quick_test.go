package admin

import (
	"context"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar/words"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

func read(language, line string) *words.Line {
	v := ui.WordsIn(tenancy.With(context.Background(), tenancy.Scope{Language: language}))
	return v.Read(line, words.Now{Wall: time.Date(2026, 11, 23, 15, 0, 0, 0, time.UTC)})
}

// readIn reads a line in a language, on Monday, 23 November 2026, at three in the afternoon.
func readIn(language, line string) string {
	e := read(language, line)
	switch {
	case !e.Understood():
		return "nothing"
	case e.AllDay:
		return e.Title + "|" + e.Start.Format("2006-01-02") + "|" + e.Place
	}
	return e.Title + "|" + e.Start.Format("2006-01-02 15:04") + "|" + e.Place
}

// The example that a language gives is understood: the choir sings on Thursday evening.
func TestQuickExamples(t *testing.T) {
	t.Parallel()
	for _, language := range i18n.Languages() {
		line := i18n.Text(language, "admin.quick.example", nil)
		e := read(language, line)
		if !e.Understood() || e.Title == "" || e.Place == "" || e.Start.Format("2006-01-02 15:04") != "2026-11-26 19:30" {
			t.Errorf("%s: %q is %+v", language, line, e)
		}
		for n := range 7 {
			name := i18n.Text(language, "date.weekday."+string(rune('1'+n)), nil)
			if want, got := time.Weekday((n+1)%7), read(language, "X "+name+" 19:30"); got.Start.Weekday() != want || got.Title != "X" {
				t.Errorf("%s: %q is %+v", language, name, got)
			}
		}
	}
}

// Lines as people of each language write them.
func TestQuickLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, line, want string }{
		{"en", "Choir tues 7pm Town hall", "Choir|2026-11-24 19:00|Town hall"},
		{"en", "Choir Thursday room 3 at 19:30", "Choir|2026-11-26 19:30|room 3"},
		{"en", "Film this evening 7 to 9 pm", "Film|2026-11-23 19:00|"},
		{"de", "Sitzung am Mittwoch, den 9.12.2026 um 14:00 Uhr", "Sitzung|2026-12-09 14:00|"},
		{"de", "Kino heute Abend 20 Uhr Rathaus", "Kino|2026-11-23 20:00|Rathaus"},
		{"de", "Markt Samstag 8 bis 13 Uhr Marktplatz", "Markt|2026-11-28 08:00|Marktplatz"},
		{"es", "Cine esta noche 20 h Ayuntamiento", "Cine|2026-11-23 20:00|Ayuntamiento"},
		{"es", "Concierto el viernes en la sala 3 a las 20:30", "Concierto|2026-11-27 20:30|sala 3"},
		{"fr", "Concert vendredi salle 3 à 20h30", "Concert|2026-11-27 20:30|salle 3"},
		{"fr", "Concert le samedi 5 décembre, 20 h : salle 3", "Concert|2026-12-05 20:00|salle 3"},
		{"es", "Mercado sábado 8 a 13 h Plaza", "Mercado|2026-11-28 08:00|Plaza"},
		{"fr", "Marché samedi de 8 à 13 h", "Marché|2026-11-28 08:00|"},
		{"it", "Concerto venerdì sala 3 alle 20:30", "Concerto|2026-11-27 20:30|sala 3"},
		{"pt-BR", "Concerto sexta sala 3 às 20h30", "Concerto|2026-11-27 20:30|sala 3"},
		{"nl", "Koor vrijdag zaal 3 om 20:30", "Koor|2026-11-27 20:30|zaal 3"},
		{"pl", "Chór w piątek sala 3 o 20:30", "Chór|2026-11-27 20:30|sala 3"},
		{"cs", "Sbor v pátek sál 3 od 20:30", "Sbor|2026-11-27 20:30|sál 3"},
		{"sv", "Kör fredag sal 3 kl 20:30", "Kör|2026-11-27 20:30|sal 3"},
		{"da", "Kor fredag sal 3 kl. 20:30", "Kor|2026-11-27 20:30|sal 3"},
		{"fi", "Kuoro perjantai sali 3 klo 20:30", "Kuoro|2026-11-27 20:30|sali 3"},
		{"id", "Paduan suara Jumat ruang 3 pukul 20:30", "Paduan suara|2026-11-27 20:30|ruang 3"},
		{"uk", "Хор п’ятниця зала 3 о 20:30", "Хор|2026-11-27 20:30|зала 3"},
		{"es", "Coro pasado mañana 19:30 Ayuntamiento", "Coro|2026-11-25 19:30|Ayuntamiento"},
		{"fr", "Chorale ce soir à 19h30 Mairie", "Chorale|2026-11-23 19:30|Mairie"},
		{"fr", "Chorale aujourd'hui 19h30 Mairie", "Chorale|2026-11-23 19:30|Mairie"},
		{"ja", "合唱12月5日午後7時半 市民会館", "合唱|2026-12-05 19:30|市民会館"},
		{"ja", "合唱 12/5 19:30 市民会館", "合唱|2026-12-05 19:30|市民会館"},
		{"ja", "月の会 木曜 19:30", "月の会|2026-11-26 19:30|"},
		{"cs", "Sbor ve středu 19:30 Radnice", "Sbor|2026-11-25 19:30|Radnice"},
		{"cs", "Sbor 5. prosince v 19:30 Radnice", "Sbor|2026-12-05 19:30|Radnice"},
		{"pl", "Chór w środę o 19:30 Ratusz", "Chór|2026-11-25 19:30|Ratusz"},
		{"pl", "Chór 5 grudnia 19:30 Ratusz", "Chór|2026-12-05 19:30|Ratusz"},
		{"pl", "Chór pojutrze 19:30", "Chór|2026-11-25 19:30|"},
		{"it", "Coro domani alle 19:30 Municipio", "Coro|2026-11-24 19:30|Municipio"},
		{"nl", "Koor overmorgen om 19 uur Stadhuis", "Koor|2026-11-25 19:00|Stadhuis"},
		{"sv", "Kör på torsdag 19.30 Stadshuset", "Kör|2026-11-26 19:30|Stadshuset"},
		{"pt-BR", "Coral depois de amanhã às 19h Prefeitura", "Coral|2026-11-25 19:00|Prefeitura"},
		{"pt-BR", "Coral quinta 19:30 Prefeitura", "Coral|2026-11-26 19:30|Prefeitura"},
		{"he", "מקהלה ביום שלישי בשעה 19:30 בית העירייה", "מקהלה|2026-11-24 19:30|בית העירייה"},
		{"he", "מקהלה 5 בדצמבר 19:30", "מקהלה|2026-12-05 19:30|"},
		{"fa", "گروه کر پنج\u200cشنبه ساعت ۱۹:۳۰ شهرداری", "گروه کر|2026-11-26 19:30|شهرداری"},
		{"hi", "गायन कल 19:30 टाउन हॉल", "गायन|2026-11-24 19:30|टाउन हॉल"},
		{"hi", "गायन ५ दिसंबर १९:३० टाउन हॉल", "गायन|2026-12-05 19:30|टाउन हॉल"},
		{"ko", "합창 목요일 오후 7시 30분 시민회관", "합창|2026-11-26 19:30|시민회관"},
		{"ko", "합창 12월 5일 오후 7시 시민회관", "합창|2026-12-05 19:00|시민회관"},
		{"ko", "합창 2027년 3월 5일 19:30", "합창|2027-03-05 19:30|"},
		{"zh-Hans", "合唱周四下午7点半市民中心", "合唱|2026-11-26 19:30|市民中心"},
		{"zh-Hans", "合唱 12月5日19:30 市民中心", "合唱|2026-12-05 19:30|市民中心"},
		{"zh-Hans", "合唱明天19:30至21:00市民中心", "合唱|2026-11-24 19:30|市民中心"},
		{"da", "Kor tors. kl. 19.30 Rådhuset", "Kor|2026-11-26 19:30|Rådhuset"},
		{"da", "Kor 5. december kl. 19 Rådhuset", "Kor|2026-12-05 19:00|Rådhuset"},
		{"de", "Chor übermorgen 19 Uhr Rathaus", "Chor|2026-11-25 19:00|Rathaus"},
		{"el", "Χορωδία Πέμπτη 19:30 Δημαρχείο", "Χορωδία|2026-11-26 19:30|Δημαρχείο"},
		{"el", "Χορωδία στις 5 Δεκεμβρίου 19:30", "Χορωδία|2026-12-05 19:30|"},
		{"el", "Χορωδία αύριο στις 7:30 μ.μ.", "Χορωδία|2026-11-24 19:30|"},
		{"fi", "Kuoro torstaina klo 19.30 Kaupungintalo", "Kuoro|2026-11-26 19:30|Kaupungintalo"},
		{"fi", "Kuoro 5. joulukuuta klo 19.30", "Kuoro|2026-12-05 19:30|"},
		{"hu", "Kórus csütörtökön 19:30 Városháza", "Kórus|2026-11-26 19:30|Városháza"},
		{"hu", "Kórus 2027. március 5. 19:30 Városháza", "Kórus|2027-03-05 19:30|Városháza"},
		{"id", "Paduan suara besok pukul 19.30 Balai Kota", "Paduan suara|2026-11-24 19:30|Balai Kota"},
		{"id", "Paduan suara hari ini 19.30", "Paduan suara|2026-11-23 19:30|"},
		{"tr", "Koro perşembe 19:30 Belediye", "Koro|2026-11-26 19:30|Belediye"},
		{"tr", "Koro 5 Aralık 19:30 Belediye", "Koro|2026-12-05 19:30|Belediye"},
		{"uk", "Хор у п'ятницю о 19:30 Ратуша", "Хор|2026-11-27 19:30|Ратуша"},
		{"uk", "Хор 5 грудня 19:30 Ратуша", "Хор|2026-12-05 19:30|Ратуша"},
		{"uk", "Хор післязавтра 19:30", "Хор|2026-11-25 19:30|"},
		{"ar", "جوقة غدًا ١٩:٣٠ دار البلدية", "جوقة|2026-11-24 19:30|دار البلدية"},
	} {
		if got := readIn(c.language, c.line); got != c.want {
			t.Errorf("%s: %q is %s, want %s", c.language, c.line, got, c.want)
		}
	}
}
