package prices

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

var (
	dollars = Currency{Symbol: "$", Position: "prefix"}
	euros   = Currency{Symbol: "€", Code: "EUR", Position: "postfix"}
)

type costTest struct {
	sent         any
	site         Currency
	text         string
	symbol, side string
	values       []string
}

// recordedCosts are recorded responses of TEC.
var recordedCosts = []costTest{
	{"10", dollars, "$10", "", "", []string{"10"}},
	{"10.50", dollars, "$10.50", "", "", []string{"10.50"}},
	{"10,50", dollars, "$10,50", "", "", []string{"10.50"}},
	{"1,000", dollars, "$1,000", "", "", []string{"1000"}},
	{"1000000", dollars, "$1000000", "", "", []string{"1000000"}},
	{"10-20", dollars, "$10 – $20", "", "", []string{"10", "20"}},
	{"10 - 20", dollars, "$10 – $20", "", "", []string{"10", "20"}},
	{"20-10", dollars, "$10 – $20", "", "", []string{"10", "20"}},
	{"$10 - $20", dollars, "$10 – $20", "", "", []string{"10", "20"}},
	{"Free", dollars, "Free", "", "", []string{"free"}},
	{"free", dollars, "free", "", "", []string{"free"}},
	{"$5", dollars, "$5", "$", "prefix", []string{"5"}},
	{"5$", dollars, "5$", "$", "postfix", []string{"5"}},
	{"$ 5", dollars, "$5", "$", "prefix", []string{"5"}},
	{"€5", dollars, "€5", "€", "prefix", []string{"5"}},
	{"5 €", dollars, "5€", "€", "postfix", []string{"5"}},
	{"5€", dollars, "5€", "€", "postfix", []string{"5"}},
	{"£5", dollars, "£5", "£", "prefix", []string{"5"}},
	{"kr 100", dollars, "kr100", "kr", "prefix", []string{"100"}},
	{"USD 5", dollars, "USD5", "USD", "prefix", []string{"5"}},
	{"$0", dollars, "Free", "$", "prefix", []string{"0"}},
	{"0.00", dollars, "Free", "", "", []string{"0.00"}},
	{"00", dollars, "Free", "", "", []string{"00"}},
	{"10/20", dollars, "$10 – $20", "", "", []string{"10", "20"}},
	{"Donation", dollars, "Donation", "", "", []string{"donation"}},
	{"", dollars, "", "", "", []string{}},
	{"abc", dollars, "abc", "", "", []string{"abc"}},
	{"<b>5</b>", dollars, "$5", "", "", []string{"5"}},
	{"$10-$20-$30", dollars, "$10 – $30", "", "", []string{"10", "20", "30"}},
	{json.Number("5"), dollars, "$5", "", "", []string{"5"}},
	{json.Number("5.5"), dollars, "$5.5", "", "", []string{"5.5"}},
	{true, dollars, "$1", "", "", []string{"1"}},
	{false, dollars, "", "", "", []string{}},
	{nil, dollars, "", "", "", []string{}},
	{[]any{"5", "10"}, dollars, "$5 – $10", "", "", []string{"5", "10"}},
	{[]any{"5"}, dollars, "$5", "", "", []string{"5"}},
	{map[string]any{"a": json.Number("5")}, dollars, "$5", "", "", []string{"5"}},
	{[]any{}, dollars, "", "", "", []string{}},
	{" 7 ", dollars, "$7", "", "", []string{"7"}},
	{"10", euros, "10€", "", "", []string{"10"}},
	{"10-20", euros, "10€ – 20€", "", "", []string{"10", "20"}},
	{"$5", euros, "$5", "$", "prefix", []string{"5"}},
	{"Free", euros, "Free", "", "", []string{"free"}},
}

// betterCosts are cases in which TEC loses or distorts the price.
var betterCosts = []costTest{
	{"0", dollars, "Free", "", "", []string{"0"}}, // recorded so on updates only
	{json.Number("0"), dollars, "Free", "", "", []string{"0"}},
	{"1.000,50", dollars, "$1.000,50", "", "", []string{"1000.50"}},
	{"-5", dollars, "-5", "", "", []string{}},
	{json.Number("-5"), dollars, "-5", "", "", []string{}},
	{"10, 20, 30", dollars, "$10 – $30", "", "", []string{"10", "20", "30"}},
	{"from 10", dollars, "from 10", "", "", []string{}},
	{"10 or donation", dollars, "10 or donation", "", "", []string{}},
	{"$", dollars, "$", "", "", []string{}},
	{"5.5.5", dollars, "5.5.5", "", "", []string{}},
	{"10 - Free", dollars, "Free – $10", "", "", []string{"0", "10"}},
	{"Free - 10", dollars, "Free – $10", "", "", []string{"0", "10"}},
}

// otherCosts were not recorded.
var otherCosts = []costTest{
	{"€10 - €20", dollars, "€10 – €20", "€", "prefix", []string{"10", "20"}},
	{"10-20 €", dollars, "10€ – 20€", "€", "postfix", []string{"10", "20"}},
	{"$10 - €20", dollars, "$10 – €20", "", "", []string{"10", "20"}},
	{"10 to 20", dollars, "$10 – $20", "", "", []string{"10", "20"}},
	{"10-10.00", dollars, "$10 – $10.00", "", "", []string{"10", "10.00"}},
	{"5 - 5", dollars, "$5", "", "", []string{"5"}},
	{"0 - 10", dollars, "Free – $10", "", "", []string{"0", "10"}},
	{"1 000,50 €", dollars, "1 000,50€", "€", "postfix", []string{"1000.50"}},
	{"CHF 1'000.50", dollars, "CHF1'000.50", "CHF", "prefix", []string{"1000.50"}},
	{"1.000.000 Kč", dollars, "1.000.000Kč", "Kč", "postfix", []string{"1000000"}},
	{"1,500円", dollars, "1,500円", "円", "postfix", []string{"1500"}},
	{"100元", dollars, "100元", "元", "postfix", []string{"100"}},
	{"대인 5000원, 소인 3000원", dollars, "대인 5000원, 소인 3000원", "원", "postfix", []string{"3000", "5000"}},
	{"2元気", dollars, "2元気", "", "", []string{}},
	{"R$ 1.234.567,89", dollars, "R$1.234.567,89", "R$", "prefix", []string{"1234567.89"}},
	{".50", dollars, "$.50", "", "", []string{"0.50"}},
	{"1,00,000.50 INR", dollars, "1,00,000.50INR", "INR", "postfix", []string{"100000.50"}},
	{"5,- €", dollars, "5,- €", "€", "postfix", []string{"5"}},
	{"TBA 5", dollars, "TBA 5", "", "", []string{}},
	{"$10 adults, $5 kids", dollars, "$10 adults, $5 kids", "", "", []string{"5", "10"}},
	{"$5 & more", dollars, "$5 &amp; more", "$", "prefix", []string{"5"}},
	{"$5 &amp; more", dollars, "$5 &amp; more", "$", "prefix", []string{"5"}},
	{"Free entry", dollars, "Free", "", "", []string{"0"}},
	{[]any{"Free", "10"}, dollars, "Free – $10", "", "", []string{"0", "10"}},
	{[]any{"5", "Donation", "$10"}, dollars, "$5 – $10, Donation", "", "", []string{"5", "10"}},
	{[]any{"", nil, false, json.Number("1e2")}, dollars, "$100", "", "", []string{"100"}},
	{"10", Currency{}, "10", "", "", []string{"10"}},
	{"5 Taler", Currency{Symbol: "Taler", Position: "postfix"}, "5Taler", "Taler", "postfix", []string{"5"}},
}

// certainCosts are texts in which not every number is a price.
var certainCosts = []costTest{
	{"Tickets unter 0228 123456", dollars, "Tickets unter 0228 123456", "", "", []string{}},
	{"0228 123456", dollars, "0228 123456", "", "", []string{}},
	{"0228/123456", dollars, "0228/123456", "", "", []string{}},
	{"VVK 10 €, AK 12 €", dollars, "VVK 10 €, AK 12 €", "€", "postfix", []string{"10", "12"}},
	{"VVK 10-12 €", dollars, "VVK 10-12 €", "€", "postfix", []string{"10", "12"}},
	{"VVK 10 €/AK 12 CHF", dollars, "VVK 10 €/AK 12 CHF", "", "", []string{"10", "12"}},
	{"Kinder bis 12 Jahre frei, sonst 8 €", dollars, "Kinder bis 12 Jahre frei, sonst 8 €", "€", "postfix", []string{"8"}},
	{"18-20 Uhr, 5 €", dollars, "18-20 Uhr, 5 €", "€", "postfix", []string{"5"}},
	{"am 24.12., Karten 8,50 Euro", dollars, "am 24.12., Karten 8,50 Euro", "Euro", "postfix", []string{"8.50"}},
	{"TOP 10", euros, "TOP10", "TOP", "prefix", []string{"10"}},
	{"Die TOP 10 ab 5 €", euros, "Die TOP 10 ab 5 €", "€", "postfix", []string{"5"}},
	{"Raum R 12, Lauf 10 KM", dollars, "Raum R 12, Lauf 10 KM", "", "", []string{}},
	{"Fr. 12 Uhr", euros, "Fr. 12 Uhr", "", "", []string{}},
	{"Rabatt -5 €", euros, "Rabatt -5 €", "", "", []string{}},
	{"Saal2 5€", euros, "Saal2 5€", "€", "postfix", []string{"5"}},
	{"1.500 €", dollars, "1.500€", "€", "postfix", []string{"1500"}},
	{"1.500", euros, "1.500€", "", "", []string{"1500"}},
	{"ab 1.500 €", dollars, "ab 1.500 €", "€", "postfix", []string{"1500"}},
	{"1.500 KWD", dollars, "1.500KWD", "KWD", "postfix", []string{"1.500"}},
	{json.Number("1.500"), dollars, "$1.5", "", "", []string{"1.5"}},
	{json.Number("1.255"), dollars, "$1.2550", "", "", []string{"1.2550"}},
	{"10 und 20", euros, "10€ – 20€", "", "", []string{"10", "20"}},
	{"10, 15 et 20 €", dollars, "10€ – 20€", "€", "postfix", []string{"10", "15", "20"}},
	{"10 و20", euros, "10€ – 20€", "", "", []string{"10", "20"}},
	{"500円と800円", dollars, "500円と800円", "", "", []string{}},
	{"¥500と¥800", dollars, "¥500 – ¥800", "¥", "prefix", []string{"500", "800"}},
	{[]any{"0$", "20$", "30$"}, euros, "Free – 30$", "$", "postfix", []string{"0", "20", "30"}},
	{[]any{"0$", "20$", "30$"}, dollars, "Free – 30$", "$", "postfix", []string{"0", "20", "30"}},
	{"kostenlos", dollars, "Free", "", "", []string{"0"}},
	{"Eintritt frei!", dollars, "Free", "", "", []string{"0"}},
	{"gratis", euros, "Free", "", "", []string{"0"}},
	{"入場無料", euros, "Free", "", "", []string{"0"}},
	{"ÜCRETSİZ", euros, "Free", "", "", []string{"0"}},
	{"frei für Mitglieder", euros, "frei für Mitglieder", "", "", []string{"frei-fur-mitglieder"}},
	{[]any{"gratis", "10 €"}, dollars, "Free – 10€", "€", "postfix", []string{"0", "10"}},
}

// TestOffers: what is offered is what somebody wrote, in the currency that they wrote; in the site's only where there is
// nothing but amounts.
func TestOffers(t *testing.T) {
	t.Parallel()
	usd := Currency{Symbol: "$", Code: "USD", Position: "prefix"}
	for _, c := range []struct {
		sent any
		site Currency
		want []Offer
	}{
		{"10", usd, []Offer{{"10", "USD"}}},
		{"10-20", usd, []Offer{{"10", "USD"}, {"20", "USD"}}},
		{"Tickets unter 0228 123456", usd, nil},
		{"VVK 10 €, AK 12 €", usd, []Offer{{"10", "EUR"}, {"12", "EUR"}}},
		{"12 CHF / 10 €", usd, []Offer{{"10", "EUR"}, {"12", "CHF"}}},
		{"Kinder bis 12 Jahre frei, sonst 8 €", usd, []Offer{{"8", "EUR"}}},
		{"8,50 Euro pro Person", usd, []Offer{{"8.50", "EUR"}}},
		{"$5", euros, nil}, // which dollar?
		{"kr 100", usd, nil},
		{"$5", usd, []Offer{{"5", "USD"}}},
		{"US$5", euros, nil},
		{"Donation", usd, nil},
		{"from 10", usd, nil},
		{"", usd, nil},
		{"Free", usd, []Offer{{"0", "USD"}}},
		{"gratis", usd, []Offer{{"0", "USD"}}},
		{"Free - 10", usd, []Offer{{"0", "USD"}, {"10", "USD"}}},
		{[]any{"gratis", "10 €"}, usd, []Offer{{"0", "EUR"}, {"10", "EUR"}}},
		{"10", Currency{}, nil},
	} {
		stored, err := Parse(c.sent)
		if err != nil {
			t.Fatal(err)
		}
		if got := Offers(stored, c.site); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%#v in %s: %v, want %v", c.sent, c.site.Code, got, c.want)
		}
	}
}

func TestCost(t *testing.T) {
	t.Parallel()
	for name, tests := range map[string][]costTest{"recorded": recordedCosts, "better": betterCosts, "other": otherCosts, "certain": certainCosts} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, test := range tests {
				stored, err := Parse(test.sent)
				if err != nil {
					t.Errorf("%#v: %v", test.sent, err)
					continue
				}
				want := Cost{Text: test.text, Symbol: test.symbol, Position: test.side, Values: test.values}
				if got := Format(stored, test.site); !reflect.DeepEqual(got, want) {
					t.Errorf("%#v:\ngot  %#v\nwant %#v", test.sent, got, want)
				}
			}
		})
	}
}

func TestParseCostStores(t *testing.T) {
	t.Parallel()
	for _, none := range []any{nil, "", " ", false, []any{}, []any{nil, ""}, map[string]any{}, "<b></b>"} {
		if stored, err := Parse(none); stored != nil || err != nil {
			t.Errorf("%#v: %q, %v", none, stored, err)
		}
	}
	stored, err := Parse(map[string]any{"b": "2\n3", "a": json.Number("-0")})
	if err != nil || !reflect.DeepEqual(stored, []string{"0", "2 3"}) {
		t.Errorf("got %q, %v", stored, err)
	}
}

func TestParseCostRefuses(t *testing.T) {
	t.Parallel()
	for _, raw := range []any{
		[]any{[]any{"5"}}, []any{map[string]any{"a": "5"}}, map[string]any{"a": []any{}}, strings.Repeat("5", 1001),
		make([]any, 51), json.Number("1e999"), struct{}{},
	} {
		if stored, err := Parse(raw); !errors.Is(err, ErrCost) {
			t.Errorf("%.40v: %q, %v", raw, stored, err)
		}
	}
	if _, err := Parse(strings.Repeat("é", 1000)); err != nil {
		t.Error("1,000 characters are refused")
	}
}

func FuzzCost(f *testing.F) {
	for _, test := range append(append(recordedCosts, betterCosts...), otherCosts...) {
		if text, ok := test.sent.(string); ok {
			f.Add(text, "Free")
			f.Add("5", text)
		}
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		stored, err := Parse([]any{first, second})
		if err != nil {
			return
		}
		for _, site := range []Currency{dollars, euros} {
			cost := Format(stored, site)
			if cost.Values == nil || strings.ContainsAny(cost.Text, "<>") || (cost.Symbol == "") != (cost.Position == "") {
				t.Fatalf("%q: %#v", stored, cost)
			}
			back, err := Parse(cost.Text)
			if err != nil {
				continue // both together may be too long
			}
			if again := Format(back, site); again.Text != cost.Text {
				t.Fatalf("%q: %q comes back as %q", stored, cost.Text, again.Text)
			}
		}
	})
}

func BenchmarkFormatCost(b *testing.B) {
	for _, text := range []string{"10", "$10 - $20", "Donation"} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Format([]string{text}, dollars)
			}
		})
	}
}

// One price is read as people write it, with its currency if that is clear; anything else is not one price.
func TestAmount(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{"12.5": {"12.5", ""}, " 12,50 ": {"12.50", ""}, "12,50 €": {"12.50", "EUR"}, "CHF 8": {"8", "CHF"},
		"1.000,50": {"1000.50", ""}, "free": {"0", ""}} {
		if number, code, ok := Amount(text, euros); !ok || number != want[0] || code != want[1] {
			t.Errorf("%q is %q %q %v", text, number, code, ok)
		}
	}
	if number, code, ok := Amount("$5", dollars); !ok || number != "5" || code != "" {
		t.Errorf("the site's own symbol is %q %q %v", number, code, ok)
	}
	for _, text := range []string{"", "much", "-1", "10, 20", "10 or so", "€", "$5"} {
		if number, code, ok := Amount(text, euros); ok {
			t.Errorf("%q is %q %q", text, number, code)
		}
	}
}
