package cards

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// samples are cards in each script.
var samples = []Card{
	{Language: "de", Kicker: "Konzerte", Title: "Weihnachtsoratorium: Johann Sebastian Bach, Kantaten I–III für Soli, Chor und Orchester", When: "Samstag, 5. Dezember, 19:30 Uhr", Place: "Kreuzkirche, Bonn", Site: "Kulturkalender Bonn"},
	{Language: "ar", RightToLeft: true, Kicker: "موسيقى", Title: "أمسية موسيقية مع فرقة Jazz Collective في دار الأوبرا", When: "السبت، ٥ ديسمبر، ٧:٣٠ م", Place: "دار الأوبرا، القاهرة", Site: "تقويم المدينة"},
	{Language: "he", RightToLeft: true, Title: "קונצרט חורף", When: "יום שבת, 5 בדצמבר, 19:30", Place: "היכל התרבות", Site: "לוח אירועים"},
	{Language: "hi", Title: "शास्त्रीय संगीत की एक शाम", When: "शनिवार, 5 दिसंबर, शाम 7:30", Place: "कमानी सभागार", Site: "शहर का कैलेंडर"},
	{Language: "ja", Kicker: "音楽", Title: "冬の音楽祭 ― 弦楽四重奏とピアノの夕べ", When: "12月5日(土)19:30", Place: "市民会館", Site: "まちのカレンダー"},
	{Language: "ko", Title: "겨울 음악회", When: "12월 5일 토요일 오후 7:30", Place: "시민회관", Site: "도시 달력"},
	{Language: "zh-Hans", Title: "冬季音乐会：弦乐四重奏", When: "12月5日星期六 19:30", Place: "市民会馆", Site: "城市日历"},
	{Language: "uk", Title: "Зимовий концерт", When: "субота, 5 грудня, 19:30", Site: "Календар міста"},
	{Language: "el", Title: "Χειμερινή συναυλία", When: "Σάββατο 5 Δεκεμβρίου, 19:30", Site: "Ημερολόγιο"},
	{Language: "en", Title: "Jazz 🎷 night", When: "Saturday 5 December, 19:30", Site: "Town"},
}

// TestCards tests that a card of each script is a PNG of the right size with few bytes, and that every letter of its texts is drawn.
func TestCards(t *testing.T) {
	for _, c := range samples {
		c.Ground = color.NRGBA{29, 92, 134, 255}
		file, err := c.Draw(nil)
		if err != nil {
			t.Fatal(err)
		}
		m, err := png.Decode(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		if m.Bounds() != image.Rect(0, 0, Width, Height) || len(file) > MostBytes {
			t.Errorf("%s: %v, %d bytes", c.Language, m.Bounds(), len(file))
		}
		keep(t, c.Language+".png", file)
		for _, text := range []string{c.Title, c.When, c.Place, c.Site, c.Kicker} {
			if text != "" && drawable(text) == "" {
				t.Errorf("%s: %q is not drawn", c.Language, text)
			}
		}
		without := c
		without.Title = ""
		if other, _ := without.Draw(nil); bytes.Equal(other, file) {
			t.Errorf("%s: the title is not seen", c.Language)
		}
	}
}

// TestShaping tests that what belongs together is one glyph: Arabic letters join, Devanagari makes conjuncts, and Arabic runs from the right.
func TestShaping(t *testing.T) {
	drawing.Lock()
	defer drawing.Unlock()
	for text, most := range map[string]int{"क्ष": 1, "لا": 1, "fi": 1} {
		glyphs := 0
		for _, run := range (&typesetter{language: "en"}).shape([]rune(text), 40) {
			glyphs += len(run.Glyphs)
		}
		if glyphs != most {
			t.Errorf("%s: %d glyphs, want %d", text, glyphs, most)
		}
	}
	if lines, _ := (&typesetter{language: "ja"}).lines("祭 弦", 40, 1000, 1, false); widthOf(lines[0]) > 100 {
		t.Errorf("a space in Japanese is as wide as a letter: %d pixels", widthOf(lines[0])-80)
	}
	lines, _ := (&typesetter{language: "ar"}).lines("abc מים def", 40, 1000, 1, false)
	if len(lines) != 1 || len(lines[0]) != 3 || lines[0][1].Direction.Progression() == lines[0][0].Direction.Progression() {
		t.Errorf("got %v, want three runs, the second against the others", lines)
	}
}

// TestLettersWithoutFont tests that a text is left out if hardly any of it can be drawn, and that signs among letters do no harm.
func TestLettersWithoutFont(t *testing.T) {
	for text, want := range map[string]string{
		"বাংলা গান": "", "Jazz 🎷 night": "Jazz night", "  two \n lines ": "two lines", "": "", "👨‍👩‍👧 Family": "Family", "漢字 and kana かな": "漢字 and kana かな",
	} {
		if got := drawable(text); trimJoins(got) != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestLongTitles tests that a title of any length stays on the card.
func TestLongTitles(t *testing.T) {
	c := Card{Language: "de", Title: string(bytes.Repeat([]byte("Donaudampfschifffahrt"), 40)), When: "heute", Ground: color.NRGBA{0, 0, 0, 255}}
	file, err := c.Draw(nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	for y := range Height {
		for _, x := range []int{0, Width - 1} {
			if r, _, _, _ := m.At(x, y).RGBA(); r != 0 {
				t.Fatalf("something is drawn at %d, %d", x, y)
			}
		}
	}
}

// TestPictures tests that a card with the worst of pictures has few enough bytes, and that the picture is at the end of the lines.
func TestPictures(t *testing.T) {
	noise := image.NewRGBA(image.Rect(0, 0, 900, 300))
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noise.Pix {
		noise.Pix[i] = uint8(random.UintN(256))
	}
	for _, c := range []Card{samples[0], samples[1]} {
		c.Ground = color.NRGBA{47, 107, 60, 255}
		file, err := c.Draw(noise)
		if err != nil || len(file) > MostBytes {
			t.Fatalf("%d bytes, %v", len(file), err)
		}
		m, _, err := image.Decode(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		x := 20
		if c.RightToLeft {
			x = Width - 20
		}
		if r, g, b, _ := m.At(x, 300).RGBA(); r>>8 > 70 || g>>8 < 90 || b>>8 > 80 {
			t.Errorf("%s: the ground beside the text is %d %d %d", c.Language, r>>8, g>>8, b>>8)
		}
		keep(t, c.Language+".jpg", file)
	}
}

// TestFocus tests that a card shows the part of a picture around its focus.
func TestFocus(t *testing.T) {
	green, red := color.RGBA{0, 200, 0, 255}, color.RGBA{200, 0, 0, 255}
	for _, size := range []image.Point{{1200, 300}, {300, 1200}} { // green at the left or the top, red at the other end
		picture := image.NewRGBA(image.Rectangle{Max: size})
		draw.Draw(picture, picture.Bounds(), image.NewUniform(red), image.Point{}, draw.Src)
		half := image.Rect(0, 0, size.X/2, size.Y)
		if size.Y > size.X {
			half = image.Rect(0, 0, size.X, size.Y/2)
		}
		draw.Draw(picture, half, image.NewUniform(green), image.Point{}, draw.Src)
		for focus, want := range map[image.Point]color.RGBA{{}: green, {X: 100, Y: 100}: red} {
			c := Card{Title: "Lake", Picture: "a", Focus: focus, Ground: color.NRGBA{47, 107, 60, 255}}
			file, err := c.Draw(picture)
			if err != nil {
				t.Fatal(err)
			}
			m, _, err := image.Decode(bytes.NewReader(file))
			if err != nil {
				t.Fatal(err)
			}
			r, g, _, _ := m.At(Width-pictureSide/2, Height/2).RGBA()
			if green := g > r; green != (want.G > want.R) {
				t.Errorf("a picture of %v with the focus %v: %d %d", size, focus, r>>8, g>>8)
			}
		}
	}
}

// TestDigests tests that each part of a card counts.
func TestDigests(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range []Card{{}, {Title: "a"}, {Kicker: "a"}, {When: "a"}, {Place: "a"}, {Site: "a"}, {Picture: "a"}, {Focus: image.Pt(1, 0)}, {Focus: image.Pt(0, 1)}, {Language: "a"}, {Ground: color.NRGBA{1, 0, 0, 0}}} {
		if d := c.Digest(); seen[d] {
			t.Errorf("%+v has the digest of another", c)
		} else {
			seen[d] = true
		}
	}
}

// trimJoins removes what joins letters.
func trimJoins(text string) string {
	var kept []rune
	for _, r := range text {
		if !joins(r) {
			kept = append(kept, r)
		}
	}
	return string(bytes.TrimSpace([]byte(string(kept))))
}

// keep writes a card into the folder that KALENDS_CARDS names, to be looked at.
func keep(t *testing.T, name string, file []byte) {
	if dir := os.Getenv("KALENDS_CARDS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name), file, 0o600); err != nil {
			t.Error(err)
		}
	}
}

func BenchmarkCard(b *testing.B) {
	for b.Loop() {
		c := samples[0]
		c.Ground = color.NRGBA{29, 92, 134, 255}
		if _, err := c.Draw(nil); err != nil {
			b.Fatal(err)
		}
	}
}
