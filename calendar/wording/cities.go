package wording

import (
	"strings"
	"sync"
)

// cities are cities that have other names in other languages, one a line: a visitor who searches for "Köln" means what a site
// calls Cologne.
//
//nolint:misspell // they are names in many languages
const cities = `
aachen aix-la-chapelle aken aquisgran akwizgran
alicante alacant
antwerp antwerpen anvers amberes antwerpia anversa antuerpia
athens athen athenes atenas atene athene ateny atina athény αθήνα афины афіни athina
barcelona barcelone barcellona барселона βαρκελώνη
basel basle bale basilea bazylea bazel
beijing 北京 베이징 peking pekin pechino pequim пекин пекін
belgrade belgrad beograd belgrado београд белград βελιγράδι
berlin berlino berlijn berlim берлин берлін βερολίνο 柏林 ベルリン 베를린 برلين ברלין
bern berne berna
bologna bolonia bologne bolonha
bordeaux burdeos bordéus
bratislava pressburg pozsony bratysława
brno brünn
brussels brüssel bruxelles brussel bruselas bruksela bruxelas brüksel bryssel брюссель βρυξέλλες
bruges brugge brujas brügge
bucharest bukarest bucuresti bucarest bukareszt bükreş бухарест βουκουρέστι
budapest budapeszt budapeşte будапешт βουδαπέστη
cairo القاهرة kairo le-caire el-cairo kahire каир каїр
cape-town kapstadt kaapstad le-cap ciudad-del-cabo cidade-do-cabo città-del-capo kapsztad кейптаун
cluj-napoca klausenburg kolozsvar
cologne köln colonia keulen kolonia colônia kolín-nad-rýnem кельн кёльн κολωνία
copenhagen kopenhagen københavn copenhague copenaghen kopenhaga köpenhamn kopenhag копенгаген κοπεγχάγη
dresden dresde dresda drezno drážďany
dublin dublino dublín dublim
dunkirk dünkirchen dunkerque duinkerken
düsseldorf dusseldorf duesseldorf дюссельдорф
edinburgh edinburg edimbourg edimburgo edynburg эдинбург
florence florenz firenze florencia florencja florença floransa флоренция
frankfurt francfort francoforte frankfurt-am-main франкфурт φρανκφούρτη
gdansk danzig gdańsk dantzig
geneva genf genève ginebra ginevra genewa genebra cenevre женева γενεύη
genoa genua genova gênes génova
ghent gent gand gante gandawa
gothenburg göteborg gotenburg gotemburgo
graz graç
hague den-haag the-hague la-haye la-haya haga haia
hamburg hambourg hamburgo amburgo гамбург αμβούργο
hanover hannover hanovre
helsinki helsingfors хельсинки гельсінкі ελσίνκι
istanbul estambul стамбул κωνσταντινούπολη stambuł constantinople
jerusalem jérusalem jerusalén gerusalemme jerozolima иерусалим kudüs
katowice kattowitz
krakow kraków krakau cracow cracovie cracovia краков краків κρακοβία
kyiv kiev kiew kijów kijev київ киев κίεβο
leipzig lipsk lipsia lipsko лейпциг
liege lüttich liège luik
lille rijsel
lisbon lissabon lisboa lisbonne lisbona lizbona lizbon лиссабон лісабон λισαβόνα
ljubljana laibach lubiana lublana
london londres londra londen londyn londýn лондон λονδίνο lontoo 伦敦 ロンドン 런던 لندن לונדון
lviv lemberg lwów lvov львів львов
lyon lyons lione лион
madrid madryt мадрид μαδρίτη
mainz mayence maguncia magonza moguncja
malaga málaga
marseille marseilles marsella marsiglia marsylia марсель
mexico-city ciudad-de-méxico mexiko-stadt ciudad-de-mexico
milan mailand milano milán mediolan milão милан мілан μιλάνο
minsk mińsk минск мінськ
montreal montréal монреаль
moscow moskau moscou moscú mosca moskou moskwa moskova москва μόσχα moskva
munich münchen múnich monaco-di-baviera monachium mnichov munique münih мюнхен μόναχο
naples neapel napoli nápoles neapol неаполь
new-york nueva-york nowy-jork nova-york нью-йорк νέα-υόρκη 纽约 ニューヨーク 뉴욕 نيويورك
nice nizza niza nicea
nuremberg nürnberg norimberga núremberg neurenberg norymberga norimberk нюрнберг
oslo осло
paris parigi parijs paryż paříž париж παρίσι 巴黎 パリ 파리 باريس פריז
porto oporto порту
poznan poznań posen
prague prag praha praga praag прага πράγα
quebec québec
rome rom roma rzym рим ρώμη
rotterdam rótterdam роттердам
saint-petersburg sankt-petersburg saint-pétersbourg san-petersburgo san-pietroburgo sint-petersburg petersburg санкт-петербург
salzburg salzbourg salzburgo salisburgo
sarajevo sarajewo сараево
seville sevilla séville siviglia sewilla
singapore singapur singapour сингапур
sofia sofía sofya софия софія σόφια
stockholm estocolmo stoccolma sztokholm стокгольм στοκχόλμη tukholma
strasbourg straßburg estrasburgo strasburgo straatsburg strasburg
szczecin stettin
tallinn reval tallin таллин
tbilisi tiflis тбилиси
thessaloniki thessalonique salónica salonicco saloniki selanik θεσσαλονίκη салоники
tokyo tokio tóquio токио токіо 東京 东京 도쿄 طوكيو טוקיו
toulouse tolosa tuluza
trier trèves tréveris treviri
turin torino turín turyn турин
valencia walencja
venice venedig venezia venise venecia wenecja veneza venedik венеция
vienna wien vienne viena wenen wiedeń viedeň vídeň viyana bécs вена відень βιέννη
vilnius wilna wilno vilna вильнюс
warsaw warschau warszawa varsovie varsovia varsavia varšava varşova варшава βαρσοβία
wroclaw wrocław breslau breslavia вроцлав
yerevan jerewan erevan ереван єреван
zagreb agram zagabria
zurich zürich zurigo zúrich zurych curych цюрих ζυρίχη
`

// cityNames returns the other names of cities by each of their names, folded and without the gaps between words, and all names.
var cityNames = sync.OnceValues(func() (map[string][]string, *Vocabulary) {
	other, all := map[string][]string{}, NewVocabulary()
	for line := range strings.Lines(cities) {
		var names []string
		for name := range strings.FieldsSeq(line) {
			name = strings.ReplaceAll(name, "-", "")
			names = append(append(names, Fold(name)), SpelledOut(name)...)
		}
		for i, name := range names {
			all.add(entry{folded: name, text: name})
			other[name] = append(append(other[name], names[:i]...), names[i+1:]...)
		}
	}
	return other, all
})
