package reading

import (
	"slices"
	"strings"
	"testing"
)

// An ordinary table as people write it in each language of the interface: with their headings, dates, times and prices.
func TestTablesInAllLanguages(t *testing.T) {
	t.Parallel()
	for language, c := range map[string]struct{ text, cost string }{
		"ar":      {"الفعالية;التاريخ;وقت البدء;وقت الانتهاء;المكان;السعر\nحفل;12/12/2026;19:30;21:00;القاعة;50 €\nحفل;24/12/2026;19:30;21:00;القاعة;مجاني\n", "50 €"},
		"cs":      {"Název;Datum;Začátek;Konec;Místo;Vstupné\nKoncert;12. 12. 2026;19:30;21:00;Kostel;150 Kč\nKoncert;24. 12. 2026;19.30;21.00;Kostel;zdarma\n", "150 Kč"},
		"da":      {"Titel;Dato;Start;Slut;Sted;Pris\nKoncert;12-12-2026;19.30;21.00;Kirken;100 kr.\nKoncert;24-12-2026;kl. 19.30;21.00;Kirken;gratis\n", "100 kr."},
		"de":      {"Titel;Datum;Beginn;Ende;Ort;Preis\nWeihnachtskonzert;12.12.2026;19:30;21:00;Stadtkirche;12,50 €\nKonzert;24.12.2026;19:30 Uhr;21 Uhr;Stadtkirche;Eintritt frei\n", "12,50 €"},
		"el":      {"Εκδήλωση;Ημερομηνία;Έναρξη;Λήξη;Χώρος;Τιμή\nΣυναυλία;12/12/2026;7:30 μ.μ.;9:00 μ.μ.;Εκκλησία;12,50 €\nΣυναυλία;24/12/2026;19:30;21:00;Εκκλησία;δωρεάν\n", "12,50 €"},
		"en":      {"Event,Date,Start,End,Place,Price\nConcert,12/12/2026,7:30 PM,9:00 PM,Church,$12.50\nConcert,12/24/2026,7:30pm,9pm,Church,free\n", "$12.50"},
		"es":      {"Título;Fecha;Inicio;Fin;Lugar;Precio\nConcierto;12/12/2026;19:30;21:00;Iglesia;12,50 €\nConcierto;24/12/2026;19:30 h;21 h;Iglesia;gratis\n", "12,50 €"},
		"fa":      {"رویداد;تاریخ;شروع;پایان;مکان;قیمت\nکنسرت;2026/12/12;19:30;21:00;سالن;50 €\nکنسرت;2026/12/24;۱۹:۳۰;۲۱:۰۰;سالن;رایگان\n", "50 €"},
		"fi":      {"Tapahtuma;Päivämäärä;Alkaa;Päättyy;Paikka;Hinta\nKonsertti;12.12.2026;19.30;21.00;Kirkko;12,50 €\nKonsertti;24.12.2026;klo 19.30;21;Kirkko;ilmainen\n", "12,50 €"},
		"fr":      {"Titre;Date;Début;Fin;Lieu;Tarif\nConcert;12/12/2026;19h30;21h;Église;12,50 €\nConcert;24/12/2026;19:30;21:00;Église;gratuit\n", "12,50 €"},
		"he":      {"אירוע,תאריך,התחלה,סיום,מקום,מחיר\nקונצרט,12/12/2026,19:30,21:00,אולם,₪50\nקונצרט,24/12/2026,19:30,21:00,אולם,חינם\n", "₪50"},
		"hi":      {"कार्यक्रम,दिनांक,शुरू,समाप्त,स्थान,शुल्क\nसंगीत,12/12/2026,19:30,21:00,हॉल,₹50\nसंगीत,24/12/2026,19:30,21:00,हॉल,मुफ़्त\n", "₹50"},
		"hu":      {"Esemény;Dátum;Kezdés;Vége;Helyszín;Belépő\nKoncert;2026.12.12.;19:30;21:00;Templom;1500 Ft\nKoncert;2026. 12. 24.;19:30;21:00;Templom;ingyenes\n", "1500 Ft"},
		"id":      {"Acara;Tanggal;Mulai;Selesai;Tempat;Harga\nKonser;12/12/2026;19.30;21.00;Gereja;Rp50.000\nKonser;24/12/2026;19.30;21.00;Gereja;gratis\n", "Rp50.000"},
		"it":      {"Evento;Data;Inizio;Fine;Luogo;Prezzo\nConcerto;12/12/2026;19:30;21:00;Chiesa;12,50 €\nConcerto;24/12/2026;ore 19.30;21;Chiesa;gratuito\n", "12,50 €"},
		"ja":      {"イベント名,日付,開始,終了,会場,料金\nコンサート,2026年12月12日,19:30,21:00,教会,1500円\nコンサート,2026/12/24,19時30分,21時,教会,無料\n", "1500円"},
		"ko":      {"행사명,날짜,시작,종료,장소,입장료\n콘서트,2026. 12. 12.,19:30,21:00,교회,15000원\n콘서트,2026-12-24,오후 7:30,오후 9시,교회,무료\n", "15000원"},
		"nl":      {"Activiteit;Datum;Begin;Einde;Locatie;Prijs\nConcert;12-12-2026;19:30;21:00;Kerk;€ 12,50\nConcert;24-12-2026;19.30 uur;21 uur;Kerk;gratis\n", "€ 12,50"},
		"pl":      {"Wydarzenie;Data;Początek;Koniec;Miejsce;Cena\nKoncert;12.12.2026;19:30;21:00;Kościół;50 zł\nKoncert;24.12.2026;19:30;21:00;Kościół;wstęp wolny\n", "50 zł"},
		"pt-BR":   {"Evento;Data;Início;Término;Local;Valor\nConcerto;12/12/2026;19h30;21h;Igreja;R$ 12,50\nConcerto;24/12/2026;19:30;21:00;Igreja;gratuito\n", "R$ 12,50"},
		"sv":      {"Evenemang;Datum;Start;Slut;Plats;Pris\nKonsert;2026-12-12;19.30;21.00;Kyrkan;100 kr\nKonsert;2026-12-24;kl. 19.30;21.00;Kyrkan;fri entré\n", "100 kr"},
		"tr":      {"Etkinlik;Tarih;Başlangıç;Bitiş;Yer;Ücret\nKonser;12.12.2026;19.30;21.00;Kilise;50 ₺\nKonser;24.12.2026;19:30;21:00;Kilise;ücretsiz\n", "50 ₺"},
		"uk":      {"Подія;Дата;Початок;Кінець;Місце;Ціна\nКонцерт;12.12.2026;19:30;21:00;Церква;150 грн\nКонцерт;24.12.2026;19:30;21:00;Церква;безкоштовно\n", "150 грн"},
		"zh-Hans": {"活动名称,日期,开始,结束,地点,票价\n音乐会,2026年12月12日,19:30,21:00,教堂,¥50\n音乐会,2026/12/24,19:30,21:00,教堂,免费\n", "¥50"},
	} {
		for _, text := range []string{c.text, strings.ReplaceAll(strings.ReplaceAll(c.text, ",", "\t"), ";", "\t")} {
			if strings.Contains(c.text, ";") && text != c.text {
				text = strings.ReplaceAll(c.text, ";", "\t")
			}
			file, rows := rowsOf(t, text, Options{})
			for i, row := range rows {
				day := []string{"2026-12-12", "2026-12-24"}[i]
				if len(row.Problems)+len(row.Warnings) > 0 || row.Values["start_date"] != day+" 19:30:00" || row.Values["end_date"] != day+" 21:00:00" ||
					row.Title == "" || row.Values["venue"] == nil || row.Values["cost"] == nil {
					t.Errorf("%s: %s %s %+v", language, findings(row.Problems), findings(row.Warnings), row.Values)
				}
			}
			if len(rows) != 2 || rows[0].Values["cost"] != c.cost {
				t.Errorf("%s: %d rows, cost %v", language, len(rows), rows[0].Values["cost"])
			}
			if i := slices.IndexFunc(file.Columns, func(c Column) bool { return !c.Known }); i >= 0 {
				t.Errorf("%s: %q is unknown", language, file.Columns[i].Header)
			}
		}
	}
}

// What a column of a start or an end has is told by its cells.
func TestColumnsByTheirCells(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Titel;Datum;Beginn;Ende\nx;12.12.2026;19:30;21:00\n":                         "2026-12-12 19:30:00 2026-12-12 21:00:00",
		"Titel;Datum;von;bis\nx;12.12.2026;19.30;21 Uhr\n":                            "2026-12-12 19:30:00 2026-12-12 21:00:00",
		"Titel;Von;Bis;Uhrzeit\nx;12.12.2026;13.12.2026;19:30\n":                      "2026-12-12 19:30:00 2026-12-13 19:30:00",
		"Titel;Beginn;Ende\nx;12.12.2026 19:30;12.12.2026 21:00\n":                    "2026-12-12 19:30:00 2026-12-12 21:00:00",
		"Titel;Datum;Beginn;Ende\nx;12.12.2026;12.12.2026 19:30;12.12.2026 21:00\n":   "2026-12-12 19:30:00 2026-12-12 21:00:00",
		"Titel;Tag;Zeit\nx;12.12.2026;19:30 - 21:00 Uhr\n":                            "2026-12-12 19:30:00 2026-12-12 21:00:00",
		"Titel;Datum;Beginn;Ende\nx;12.12.2026;19:30;21:00\ny;13.12.2026;;\n":         "2026-12-12 19:30:00 2026-12-12 21:00:00",
		"Event;Start Date;Start Time;End\nx;12/12/2026;7:30 PM;9 PM\n":                "2026-12-12 19:30:00 2026-12-12 21:00:00",
		"Titel;Uhrzeit;Ende;Preis (€)\nx;12.12.2026 19:30;12.12.2026 21:00;12,50\n":   "2026-12-12 19:30:00 2026-12-12 21:00:00",
		"Titel\tDatum\tBeginn\tEnde\tOrt\nx\tSa, 12.12.2026\t19:30\t21:00\tRathaus\n": "2026-12-12 19:30:00 2026-12-12 21:00:00",
	} {
		_, rows := rowsOf(t, text, Options{})
		start, _ := rows[0].Values["start_date"].(string)
		end, _ := rows[0].Values["end_date"].(string)
		if got := start + " " + end; got != want || len(rows[0].Problems) > 0 {
			t.Errorf("%s: %s %s", text, got, findings(rows[0].Problems))
		}
	}
}
