/** German words that mean the same, and words that exclude each other (`|`). The first part are verbs. Base forms; `IRREGULAR` leads to them. */

export const VERBS = `
kaufen erwerben übernehmen aufkaufen erstehen kauf erwerb übernahme
verkaufen veräußern verkauf
gründen errichten etablieren schaffen gründung stiften
beginnen anfangen starten eröffnen einführen einweihen aufnehmen beginn start eröffnung öffnen | enden beenden schließen aufhören einstellen abschließen auflösen ende schließung
bauen errichten erbauen konstruieren bau | abreißen zerstören abbauen abriss zerstörung
entwerfen planen gestalten konzipieren entwickeln zeichnen entwurf konstruieren
herstellen produzieren erzeugen fertigen machen erstellen anlegen anfertigen herstellung produktion
entdecken finden aufspüren ausfindig entdeckung | verlieren
steigen wachsen zunehmen erhöhen ansteigen anwachsen zulegen klettern vergrößern anstieg wachstum zunahme | sinken fallen abnehmen zurückgehen schrumpfen senken verringern reduzieren rückgang abnahme schwinden einbrechen
annehmen akzeptieren zustimmen billigen genehmigen bewilligen annahme zustimmung genehmigung gutheißen | ablehnen zurückweisen verweigern abweisen ausschlagen ablehnung absagen
erlauben gestatten zulassen genehmigen dürfen erlaubt gestattet erlaubnis möglich zulässig können | verbieten untersagen verboten verbot unmöglich unzulässig
gewinnen siegen besiegen schlagen bezwingen sieg | verlieren unterliegen niederlage
sterben versterben umkommen tod tot ums-leben töten | überleben leben
gebären geburt geboren
heiraten ehelichen heirat | scheiden scheidung
enthalten umfassen beinhalten aufweisen einschließen | ausschließen fehlen
haben besitzen verfügen | fehlen
benutzen nutzen verwenden gebrauchen anwenden einsetzen nutzung verwendung
beschäftigen einstellen anstellen | entlassen kündigen entlassung kündigung
arbeiten tätig wirken
ankommen eintreffen erreichen gelangen ankunft | abfahren verlassen abreisen abfahrt
zeigen belegen beweisen demonstrieren nachweisen | verbergen verstecken
sagen erklären mitteilen behaupten berichten angeben äußern verkünden befinden meinen zufolge laut
glauben denken halten
erwarten rechnen prognostizieren
schreiben verfassen komponieren
lehren unterrichten ausbilden
lernen studieren
bewegen verlegen umziehen
befördern transportieren bringen tragen liefern
verbinden verknüpfen überspannen
ersetzen ablösen
aufbewahren behalten speichern bewahren lagern erhalten | löschen entfernen vernichten
löschen entfernen beseitigen streichen | hinzufügen
geben bereitstellen liefern zur-verfügung verleihen vergeben stellen gewähren überreichen
erhalten bekommen empfangen kriegen
zahlen bezahlen ausgeben kosten
kostenlos gratis umsonst frei unentgeltlich nichts | zahlen bezahlen kosten
loben preisen rühmen mögen lob | kritisieren tadeln bemängeln
glauben denken halten finden
brauchen benötigen erfordern müssen nötig notwendig erforderlich pflicht
helfen unterstützen hilfe unterstützung
leiten führen lenken leitung führung
angreifen überfallen angriff | verteidigen
schützen bewahren schutz
wiederfinden auftauchen zurückbekommen | verschwinden verschollen fehlen verschwunden
stehlen entwenden rauben diebstahl raub
verhaften festnehmen verhaftung festnahme | freilassen
verurteilen | freisprechen
klagen verklagen
verletzen
heilen behandeln
essen fressen verzehren ernähren nähren
jagen jagd erbeuten
wohnen leben
geschehen passieren stattfinden vorkommen ereignen auftreten eintreten kommen
dauern andauern brauchen währen
verfallen ablaufen erlöschen ablauf | verlängern erneuern
verlängern ausdehnen verlängerung | verkürzen
ändern verändern anpassen änderung
beschädigen schaden
reparieren instandsetzen
senden schicken verschicken einreichen | empfangen
fragen bitten
antworten erwidern
besuchen
veröffentlichen herausgeben
nennen bezeichnen heißen
wählen auswählen ernennen wahl
zurücktreten rücktritt
gelingen | scheitern
verursachen auslösen
vermeiden verhindern
treffen schießen erzielen tor
betreiben
fahren verkehren laufen
sperren widerrufen
melden anzeigen mitteilen meldung
transportieren befördern
mitnehmen übertragen
lesen
bestätigen | bestreiten dementieren
ausleihen leihen
ernten ernte
frieren gefrieren zufrieren | tauen schmelzen
einnehmen nehmen
liegen stehen befinden
kennen bekannt | unbekannt
messen lang länge
kosten teuer preis
wiegen gewicht schwer
einlegen einreichen
starten abheben | landen
importieren einführen | exportieren ausführen
`

export const WORDS = `
groß riesig bedeutend gewaltig beträchtlich | klein winzig gering
lang länge | kurz
hoch höhe | niedrig tief
haupt wichtigste hauptsächlich zentral
bekannt berühmt namhaft berühmteste bekannteste renommiert | unbekannt
neu modern | alt
alt früher ehemalig | neu
jung | alt
früh | spät
erste anfänglich ursprünglich | letzte
schnell rasch | langsam
billig günstig preiswert | teuer kostspielig
schwer | leicht
hell | dunkel
heiß warm | kalt kühl
reich | arm
gut | schlecht
einfach leicht | schwierig schwer
stark kräftig | schwach
breit | schmal eng
tief | flach
voll ganz vollständig komplett gesamt | leer teilweise
richtig korrekt wahr | falsch unwahr
öffentlich | privat
legal | illegal
männlich mann männchen | weiblich frau weibchen
vater | mutter | sohn | tochter | bruder | schwester | onkel | tante | neffe | nichte | großvater | großmutter | ehemann gatte | ehefrau gattin | cousin
sommer | winter | frühling frühjahr | herbst
montag | dienstag | mittwoch | donnerstag | freitag | samstag sonnabend | sonntag
nord norden nördlich | süd süden südlich | ost osten östlich | west westen westlich
links | rechts
tag tagsüber | nacht nachts nächtlich
morgen morgens | mittag | nachmittag | abend abends
rot | blau | grün | gelb | schwarz | weiß | braun | violett | orange | rosa | grau
gold golden | silber silbern | bronze | kupfer | eisen eisern
vorher zuvor vor früher vorherig | nachher danach nach später anschließend
mehr größer höher | weniger kleiner geringer niedriger
höchstens maximal bis-zu maximum | mindestens wenigstens minimum
über oberhalb | unter unterhalb
innerhalb binnen | außerhalb
immer stets | nie niemals
oft häufig meist gewöhnlich üblich üblicherweise normalerweise regelmäßig typisch | selten
hauptsächlich vor-allem überwiegend vorwiegend größtenteils
nur lediglich ausschließlich bloß
jahr jährlich alljährlich
monat monatlich
woche wöchentlich
tag täglich
stunde stündlich
erfolg erfolgreich | misserfolg erfolglos
gewinn überschuss | verlust defizit
mehrheit | minderheit
freund | feind gegner
auto wagen fahrzeug pkw
lastwagen lkw laster
bahn zug eisenbahn
straße autobahn
schiff boot
flugzeug maschine
unternehmen firma gesellschaft betrieb konzern
umsatz erlös einnahmen
mitarbeiter beschäftigter angestellter arbeiter personal belegschaft
chef leiter vorsteher direktor vorgesetzter vorstandschef
konkurrent wettbewerber rivale
arzt mediziner
patient
mensch person leute personen menschen
einwohner bewohner bevölkerung
kind
bild gemälde werk
buch band roman
kritik kritiker rezensent
händler kaufmann kaufleute
brand feuer brennen
gültig | ungültig erlöschen nichtig
sanieren renovieren
zuhören
stadt ort
land staat
haus gebäude
fläche
tiefe tief
breite breit
schwangerschaft schwanger schwangere
schüler student
schule
lehrer
anwalt rechtsanwalt
gesetz
gericht
arbeit job stelle
gehalt lohn
geld
preis kosten
zahl anzahl menge
teil anteil
hälfte
spiel partie begegnung
verein klub club mannschaft team
zuschauer besucher publikum
urlaub ferien
krankheit
medikament arznei mittel
anfall attacke
krieg
könig monarch
herrscher
ausland auswärts
essen mahlzeit nahrung
fehler irrtum
grenze obergrenze
foto fotografie
film
lied
meer ozean see
wald
berg gipfel
fluss strom
küste ufer
tier
halbzeit hälfte pause
europa europäisch | asien asiatisch | afrika afrikanisch | amerika amerikanisch | australien australisch
england englisch engländer | schottland schottisch schotte | irland irisch ire | frankreich französisch franzose | deutschland deutsch | spanien spanisch spanier | italien italienisch italiener | portugal portugiesisch portugiese | norwegen norwegisch norweger | schweden schwedisch schwede | dänemark dänisch däne | finnland finnisch finne | island isländisch | niederlande niederländisch niederländer | belgien belgisch belgier | schweiz schweizer schweizerisch | österreich österreichisch österreicher | polen polnisch pole | russland russisch russe | ukraine ukrainisch | tschechien tschechisch | ungarn ungarisch ungar | griechenland griechisch grieche | türkei türkisch türke | china chinesisch chinese | japan japanisch japaner | korea koreanisch | indien indisch inder | ägypten ägyptisch | israel israelisch | iran iranisch persisch | mexiko mexikanisch | brasilien brasilianisch | argentinien argentinisch | chile chilenisch | kanada kanadisch
sauerstoff | wasserstoff | stickstoff | kohlenstoff
gitarre | klavier | geige violine | cello | trompete | flöte
katholisch katholik | evangelisch protestantisch protestant | orthodox | muslimisch | jüdisch | buddhistisch
fest | flüssig | gasförmig
schuldig | unschuldig
lebendig | tot
`

/** Forms that no spelling rule leads back to their base form. */
export const IRREGULAR =
  'übernahm:übernehmen übernommen:übernehmen übernimmt:übernehmen erwarb:erwerben erworben:erwerben erwirbt:erwerben begann:beginnen begonnen:beginnen fing:anfangen gefangen:fangen ' +
  'entwarf:entwerfen entworfen:entwerfen entwirft:entwerfen fand:finden gefunden:finden schuf:schaffen geschaffen:schaffen erschuf:schaffen stieg:steigen gestiegen:steigen angestiegen:steigen ' +
  'wuchs:wachsen wuchsen:wachsen gewachsen:wachsen wächst:wachsen nahm:nehmen nahmen:nehmen genommen:nehmen nimmt:nehmen angenommen:annehmen zugenommen:zunehmen abgenommen:abnehmen eingenommen:einnehmen ' +
  'sank:sinken sanken:sinken gesunken:sinken fiel:fallen fielen:fallen gefallen:fallen fällt:fallen ging:gehen gingen:gehen gegangen:gehen zurückgegangen:zurückgehen wies:weisen gewiesen:weisen ' +
  'abgewiesen:abweisen zurückgewiesen:zurückweisen bot:bieten geboten:bieten verbot:verbieten verboten:verbieten gewann:gewinnen gewannen:gewinnen gewonnen:gewinnen schlug:schlagen geschlagen:schlagen ' +
  'verlor:verlieren verloren:verlieren starb:sterben starben:sterben gestorben:sterben stirbt:sterben geboren:gebären schrieb:schreiben geschrieben:schreiben lag:liegen gelegen:liegen stand:stehen ' +
  'gestanden:stehen kam:kommen kamen:kommen gekommen:kommen fuhr:fahren gefahren:fahren fährt:fahren trug:tragen getragen:tragen trägt:tragen gab:geben gegeben:geben gibt:geben ließ:lassen gelassen:lassen ' +
  'zugelassen:zulassen half:helfen geholfen:helfen hielt:halten gehalten:halten hält:halten behielt:behalten erhielt:erhalten erhielten:erhalten erhält:erhalten bekam:bekommen griff:greifen ' +
  'angegriffen:angreifen verschwand:verschwinden verschwunden:verschwinden stahl:stehlen gestohlen:stehlen fraß:fressen frisst:fressen fraßen:fressen gefressen:fressen aß:essen isst:essen gegessen:essen ' +
  'grub:graben gruben:graben gegraben:graben gräbt:graben wog:wiegen gewogen:wiegen traf:treffen trafen:treffen getroffen:treffen trifft:treffen schoss:schießen geschossen:schießen brach:brechen ' +
  'gebrochen:brechen bricht:brechen las:lesen gelesen:lesen sang:singen gesungen:singen zog:ziehen gezogen:ziehen lieh:leihen geliehen:leihen unterlag:unterliegen befand:befinden verließ:verlassen ' +
  'stritt:streiten trat:treten traten:treten getreten:treten tritt:treten zurückgetreten:zurücktreten aufgetreten:auftreten schloss:schließen geschlossen:schließen besaß:besitzen besessen:besitzen ' +
  'war:sein betrug:betragen fror:frieren gefroren:frieren wusste:wissen dachte:denken brachte:bringen gebracht:bringen kannte:kennen gekannt:kennen nannte:nennen genannt:nennen sandte:senden gesandt:senden ' +
  'rief:rufen gerufen:rufen verstand:verstehen verhielt:verhalten enthielt:enthalten enthält:enthalten durfte:dürfen darf:dürfen konnte:können kann:können musste:müssen muss:müssen bezwang:bezwingen ' +
  'schritt:schreiten riss:reißen abgerissen:abreißen männer:mann frauen:frau städte:stadt häuser:haus bücher:buch länder:land flüsse:fluss züge:zug schäden:schaden verluste:verlust vorkommen:vorkommen ' +
  'größer:groß größte:groß höher:hoch höchste:hoch länger:lang längste:lang jünger:jung älter:alt älteste:alt'
