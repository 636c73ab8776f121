package reading

import "strings"

// foreign maps the columns of other programs and those that people write to their meaning, by columnKey. They apply
// only if no documented column has the same meaning. The cells of a column for a start or an end determine whether
// it has dates or times.
var foreign = func() map[string]string {
	all := map[string]string{}
	for _, one := range headersElsewhere {
		for name := range strings.FieldsFuncSeq(one.names, func(r rune) bool { return r == ',' || r == '|' }) {
			if key := columnKey(name); all[key] == "" {
				all[key] = one.meaning
			}
		}
	}
	return all
}()

// headersElsewhere are the columns of Outlook, Google Calendar and Eventbrite, and common headings in the languages of the
// interface, by meaning. A bar is between languages.
var headersElsewhere = []struct{ meaning, names string }{
	{"title", `subject, title, name, summary, event, event name, what | Titel, Betreff, Veranstaltung, Bezeichnung,
		Veranstaltungstitel | العنوان, الفعالية, اسم الفعالية, عنوان الفعالية | název, akce, název akce | arrangement, begivenhed,
		navn | τίτλος, εκδήλωση | título, evento, actividad, nombre, asunto | عنوان, رویداد, نام رویداد | otsikko, tapahtuma, nimi,
		tapahtuman nimi | titre, objet, événement, manifestation, intitulé, nom | כותרת, אירוע, שם האירוע | शीर्षक, कार्यक्रम | cím,
		esemény, rendezvény, megnevezés | judul, acara, nama acara | titolo, oggetto, manifestazione | タイトル, イベント, イベント名, 件名, 行事名 |
		제목, 행사, 행사명, 이벤트 | onderwerp, evenement, activiteit, naam | tytuł, wydarzenie, nazwa, impreza | nome | evenemang,
		arrangemang, namn | başlık, etkinlik, etkinlik adı | назва, подія, захід | 标题, 活动, 活动名称, 名称`},
	{"start_date", `start date, date, day, start, begin, begins, starts, from, event start, event date, start date and time | Datum,
		Tag, Termin, Beginn, Beginnt am, Startdatum, von, ab | التاريخ, اليوم, البداية, يبدأ, من | datum, začátek, od | dato,
		begynder, fra | ημερομηνία, έναρξη, από | fecha, fecha de comienzo, fecha de inicio, día, inicio, desde | تاریخ, شروع, از |
		päivämäärä, päivä, pvm, alku, alkaa | date de début, début, jour, du, de | תאריך, התחלה, יום | तारीख, दिनांक, शुरू, शुरुआत,
		आरंभ | dátum, nap, kezdés, kezdete, kezdet | tanggal, hari, mulai, dari | data, data d'inizio, data di inizio, inizio,
		giorno, dalle, da | 日付, 開催日, 日時, 開始 | 날짜, 일자, 일시, 시작 | begindatum, startdatum, begin, aanvang, van | początek, rozpoczęcie,
		data rozpoczęcia | dia, início, começo, data de início, das | startdatum, börjar, från | tarih, başlangıç, başlama,
		başlangıç tarihi | дата, початок, з, від | 日期, 开始, 开始日期`},
	{"start_time", `start time, time | Uhrzeit, Zeit, Startzeit, Beginnt um, Anfangszeit | الوقت, الساعة, وقت البداية, وقت البدء |
		čas, hodina, čas začátku | tid, tidspunkt, klokken, kl, starttid | ώρα, ώρα έναρξης | hora, comienzo, hora de inicio | ساعت,
		زمان, ساعت شروع | aika, kellonaika, klo, alkamisaika, aloitusaika | heure, horaire, heure de début | שעה, שעת התחלה | समय,
		प्रारंभ समय | időpont, idő, óra, kezdési időpont | jam, waktu, pukul, waktu mulai, jam mulai | ora, orario, ora inizio,
		orario di inizio, ora di inizio | 時間, 時刻, 開始時間, 開始時刻 | 시간, 시작 시간, 시작 시각 | tijd, begintijd, starttijd, aanvangstijd |
		godzina, czas, godzina rozpoczęcia | horário, hora de início, horário de início | klockslag | saat, başlangıç saati | час,
		година, час початку | 时间, 开始时间`},
	{"end_date", `end date, end, ends, until, till, to, event end, end date and time | Ende, Endet am, Enddatum, bis, Schluss |
		النهاية, ينتهي, إلى, حتى | konec, do, datum konce | slut, slutter, til, slutdato | λήξη, έως, μέχρι | fecha finalización,
		fecha de fin, fin, final, hasta | پایان, تا | loppu, päättyy, loppuu, asti | date de fin, date fin, jusqu'à, au, à | סיום,
		עד | समाप्ति, समाप्त, अंत, तक | vége, befejezés | selesai, sampai, hingga | data fine, data di fine, fine, alle | 終了 | 종료,
		끝 | einddatum, einde, eind, tot | koniec, zakończenie, data zakończenia | término, fim, até, às, data de término | slutar,
		till, slutdatum | bitiş, bitiş tarihi | кінець, завершення, закінчення, до | 结束, 结束日期`},
	{"end_time", `end time | Endzeit, Endet um | وقت النهاية, وقت الانتهاء | čas konce | sluttid, sluttidspunkt | ώρα λήξης |
		finalización, hora de fin | ساعت پایان | päättymisaika, lopetusaika | heure de fin | שעת סיום | समाप्ति समय |
		befejezési időpont | waktu selesai, jam selesai | ora fine, orario di fine, ora di fine | 終了時間, 終了時刻 | 종료 시간, 종료 시각 |
		eindtijd | godzina zakończenia | hora de término, horário de término | bitiş saati | час завершення, час закінчення | 结束时间`},
	{"all_day", `all day, all day event | Ganztägiges Ereignis, ganztägig | journée entière | todo el día | tutto il giorno | hele dag`},
	{"description", `description | Beschreibung | الوصف | popis | beskrivelse | περιγραφή | descripción | توضیحات, شرح | kuvaus |
		תיאור | विवरण | leírás | deskripsi, keterangan | descrizione | 説明, 内容 | 설명, 내용 | beschrijving, omschrijving | opis |
		descrição | beskrivning | açıklama | опис | 描述, 说明, 简介`},
	{"excerpt", `event summary`},
	{"location", `location, place, where | Ort, wo, Veranstaltungsort, Spielort | المكان, الموقع | místo, místo konání | sted |
		τόπος, χώρος, τοποθεσία, μέρος | emplacement, ubicación, lugar, sitio | مکان, محل | paikka, tapahtumapaikka, sijainti |
		lieu, endroit | מקום, מיקום | स्थान, स्थल, जगह | helyszín, hely | tempat, lokasi | luogo, sede | 場所, 会場 | 장소, 위치 | locatie,
		plaats, plek | miejsce | local | plats, lokal | yer, mekân, konum | місце, місце проведення | 地点, 场地, 场所`},
	{"venue", `venue`},
	{"venue.address", `venue address 1, address | Adresse, Straße`},
	{"venue.city", `city | Stadt | ville`},
	{"venue.zip", `postal code, zip | PLZ`},
	{"venue.country", `country | Land`},
	{"categories", `categories, category | Kategorien, Kategorie | الفئة, التصنيف | kategori | κατηγορία | categorías, categoría |
		دسته, دسته‌بندی | luokka, kategoria | catégories, catégorie | קטגוריה | श्रेणी | kategória | categoria | カテゴリ, カテゴリー, 分類 |
		분류, 카테고리 | categorie, categorieën | категорія | 类别, 分类`},
	{"tags", `tags, keywords`},
	{"organizer", `meeting organizer, organizer, organiser | Besprechungsplanung, Veranstalter | المنظم, الجهة المنظمة | pořadatel |
		arrangør | διοργανωτής | organizador | برگزارکننده | järjestäjä | organisateur | מארגן | आयोजक | szervező | penyelenggara |
		organizzatore | 主催, 主催者 | 주최, 주최자 | organisator | organizator | arrangör | düzenleyen, organizatör | організатор | 主办方, 主办,
		组织者`},
	{"cost", `cost, price, admission, entry, fee | Preis, Eintritt, Eintrittspreis, Kosten | السعر, الثمن, رسوم الدخول | cena,
		vstupné, vstup | pris, entré, billetpris | τιμή, είσοδος, κόστος | precio, entrada, coste, costo | قیمت, بها, هزینه | hinta,
		pääsymaksu, sisäänpääsy | prix, tarif, entrée | מחיר, עלות, כניסה | मूल्य, कीमत, शुल्क, प्रवेश शुल्क | ár, belépő, jegyár |
		harga, biaya, tiket | prezzo, ingresso, biglietto | 料金, 価格, 入場料 | 가격, 요금, 입장료 | prijs, entree, toegang | wstęp, bilet |
		preço, valor | inträde | fiyat, ücret, giriş | ціна, вартість, вхід | 价格, 票价, 费用, 门票`},
	{"website", `url, website, link, event url, internet | Webseite | الموقع الإلكتروني, الرابط | web, odkaz | hjemmeside |
		ιστότοπος, σύνδεσμος | sitio web, enlace | وب‌سایت, پیوند | verkkosivu, linkki | site web, site, lien | אתר, קישור |
		वेबसाइट | weboldal, honlap | situs web, tautan | sito, sito web | ウェブサイト, リンク | 웹사이트, 링크 | strona, strona internetowa |
		webbplats, hemsida, länk | web sitesi | вебсайт, сайт, посилання | 网站, 链接, 网址`},
	{"image", `image, image url, event image | Bild`},
	{"event_status", `status`},
	{"uid", `event id`},
	{"private", `private | privat`},
	{"sensitivity", `sensitivity | Vertraulichkeit`},
	{"", `reminder on/off, reminder date, reminder time, required attendees, optional attendees, meeting resources,
		billing information, mileage, priority, show time as | Erinnerung An/Aus, Erinnerung am, Erinnerung um,
		Erforderliche Teilnehmer, Optionale Teilnehmer, Besprechungsressourcen, Abrechnungsinformationen, Reisekilometer, Priorität,
		Zeitspanne zeigen als`},
}
