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
addis-ababa addis-abeba
alicante alacant
antwerp antwerpen anvers amberes antwerpia anversa antuerpia
athens athen athenes atenas atene athene ateny atina athény αθήνα афины афіни athina
barcelona barcelone barcellona барселона βαρκελώνη
basel basle bale basilea bazylea bazel
beijing 北京 베이징 peking pekin pechino pequim пекин пекін
belgrade belgrad beograd belgrado београд белград βελιγράδι
bengaluru bangalore bangalur бангалор
berlin berlino berlijn berlim берлин берлін βερολίνο 柏林 ベルリン 베를린 برلين ברלין
bern berne berna
bilbao bilbo
bologna bolonia bologne bolonha
bordeaux burdeos bordéus
brasov kronstadt brassó
bratislava pressburg pozsony bratysława
braunschweig brunswick brunsvique
brno brünn
bruges brugge brujas brügge
brussels brüssel bruxelles brussel bruselas bruksela bruxelas brüksel bryssel брюссель βρυξέλλες
bucharest bukarest bucuresti bucarest bukareszt bükreş бухарест βουκουρέστι
budapest budapeszt budapeşte будапешт βουδαπέστη
buenos-aires буэнос-айрес буенос-айрес
cadiz cadix cadice
cairo القاهرة kairo le-caire el-cairo kahire каир каїр
cape-town kapstadt kaapstad le-cap ciudad-del-cabo cidade-do-cabo città-del-capo kapsztad кейптаун
chennai madras
cluj-napoca klausenburg kolozsvar
cologne köln colonia keulen kolonia colônia kolín-nad-rýnem кельн кёльн κολωνία
copenhagen kopenhagen københavn copenhague copenaghen kopenhaga köpenhamn kopenhag копенгаген κοπεγχάγη
cordoba cordoue cordova
dnipro dnepr dnipropetrovsk днепр дніпро
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
guangzhou canton kanton 广州
györ raab
hague den-haag the-hague la-haye la-haya haga haia
hamburg hambourg hamburgo amburgo гамбург αμβούργο
hanover hannover hanovre
havana habana la-habana havanna la-havane avana hawana гавана
helsinki helsingfors хельсинки гельсінкі ελσίνκι
ho-chi-minh saigon
hong-kong hongkong гонконг 香港
istanbul estambul стамбул κωνσταντινούπολη stambuł constantinople
jerusalem jérusalem jerusalén gerusalemme jerozolima иерусалим kudüs
kathmandu katmandu
katowice kattowitz
kaunas kowno kauen
kharkiv charkiv charkow kharkov харків харьков
kolkata calcutta kalkutta
kosice kaschau kassa
krakow kraków krakau cracow cracovie cracovia краков краків κρακοβία
kyiv kiev kiew kijów kijev київ киев κίεβο
lausanne losanna lausana
leipzig lipsk lipsia lipsko лейпциг
leuven louvain löwen lovanio lovaina
liege lüttich liège luik
lille rijsel
lisbon lissabon lisboa lisbonne lisbona lizbona lizbon лиссабон лісабон λισαβόνα
ljubljana laibach lubiana lublana
london londres londra londen londyn londýn лондон λονδίνο lontoo 伦敦 ロンドン 런던 لندن לונדון
lucerne luzern lucerna люцерн
luxembourg luxemburg lussemburgo luxemburgo luksemburg люксембург
lviv lemberg lwów lvov львів львов
lyon lyons lione лион
madrid madryt мадрид μαδρίτη
mainz mayence maguncia magonza moguncja
malaga málaga
marseille marseilles marsella marsiglia marsylia марсель
mechelen malines
mexico-city ciudad-de-méxico mexiko-stadt ciudad-de-mexico
milan mailand milano milán mediolan milão милан мілан μιλάνο
minsk mińsk минск мінськ
montreal montréal монреаль
moscow moskau moscou moscú mosca moskou moskwa moskova москва μόσχα moskva
mumbai bombay bombaim мумбаи мумбаї
munich münchen múnich monaco-di-baviera monachium mnichov munique münih мюнхен μόναχο
naples neapel napoli nápoles neapol неаполь
new-york nueva-york nowy-jork nova-york нью-йорк νέα-υόρκη 纽约 ニューヨーク 뉴욕 نيويورك
nice nizza niza nicea
nijmegen nimègue nimwegen nimega
nuremberg nürnberg norimberga núremberg neurenberg norymberga norimberk нюрнберг
odesa odessa одеса одесса
oslo осло
paris parigi parijs paryż paříž париж παρίσι 巴黎 パリ 파리 باريس פריז
pecs fünfkirchen
plzen pilsen
porto oporto порту
poznan poznań posen
prague prag praha praga praag прага πράγα
quebec québec
riga ryga рига
rijeka fiume
rio-de-janeiro рио-де-жанейро ріо-де-жанейро
rome rom roma rzym рим ρώμη
rotterdam rótterdam роттердам
saint-petersburg sankt-petersburg saint-pétersbourg san-petersburgo san-pietroburgo sint-petersburg petersburg санкт-петербург
salzburg salzbourg salzburgo salisburgo
são-paulo san-paolo san-pablo сан-паулу
sarajevo sarajewo сараево
seoul séoul seul сеул 서울
seville sevilla séville siviglia sewilla
shanghai schanghai xangai sciangai шанхай 上海
sibiu hermannstadt nagyszeben
singapore singapur singapour сингапур
sofia sofía sofya софия софія σόφια
stockholm estocolmo stoccolma sztokholm стокгольм στοκχόλμη tukholma
strasbourg straßburg estrasburgo strasburgo straatsburg strasburg
szczecin stettin
taipei taipeh 台北
tallinn reval tallin таллин
tampere tammerfors
tartu dorpat
tbilisi tiflis тбилиси
tel-aviv тель-авив תל-אביב
thessaloniki thessalonique salónica salonicco saloniki selanik θεσσαλονίκη салоники
timisoara temeswar temesvár
tokyo tokio tóquio токио токіо 東京 东京 도쿄 طوكيو טוקיו
toulouse tolosa tuluza
trier trèves tréveris treviri
turin torino turín turyn турин
turku åbo
valencia walencja
venice venedig venezia venise venecia wenecja veneza venedik венеция
vienna wien vienne viena wenen wiedeń viedeň vídeň viyana bécs вена відень βιέννη
vilnius wilna wilno vilna вильнюс
warsaw warschau warszawa varsovie varsovia varsavia varšava varşova варшава βαρσοβία
wroclaw wrocław breslau breslavia вроцлав
yangon rangoon rangun
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
