/**
 * Pairs of sentences of two documents: 60 changes (a later document says another value), 30 conflicts (two documents that hold at once say different
 * things), and 60 that are neither (they say the same, or speak of different things). Written before the rules they measure. `[a|b]` is what differs.
 */
const CHANGES = `
The ferry to Norhaven costs [30|40] thalers.
The harbour office is open until [17:00|18:30] on weekdays.
The mayor of Port Ellis is [Anna Berg|Karl Stone].
The museum was moved to [Mill Street|Harbour Square].
Employees may take [25|28] days of leave a year.
The minimum order is [50|75] euros.
The server listens on port [8080|9090].
Refunds are possible within [14|30] days of purchase.
The lighthouse is [31|34] metres high.
The contract with the port ends on [31 March 2025|30 June 2026].
The library lends each reader up to [5|10] books.
The head of the department is [Dr Lena Voss|Dr Omar Haddad].
The bakery opens at [6:00|7:00] on Sundays.
The speed limit on the coastal road is [80|70] km/h.
The subscription costs [9.90|11.90] euros a month.
The population of Norhaven is [12,400|13,050].
The default timeout is [30|60] seconds.
The annual meeting takes place in [Leipzig|Dresden].
The warranty covers [two|three] years.
The bus to the airport leaves from platform [4|6].
Tickets can be bought until [20 May|27 May].
The company is registered in [Ireland|Estonia].
The price of a kilo of flour is [1.20|1.45] euros.
The capital of the province is [Aldmoor|Westerby].
The maximum file size is [10|25] MB.
The pool is heated to [26|28] degrees.
The deadline for applications is [1 September|15 September].
The board consists of [seven|nine] members.
The new bridge will be finished in [2026|2028].
The treasurer of the club is [Ida Falk|Jonas Reuter].
The API allows [100|500] requests per minute.
Passwords must have at least [8|12] characters.
The exhibition runs until [4 October|1 November].
The chief engineer is [Maria Santos|Peter Lund].
The interest rate is [3.5|4.25] percent.
The train from Aldmoor to the coast takes [95|82] minutes.
The emergency number of the plant is [4711|4890].
The orchard has [240|310] apple trees.
The rent for the hall is [200|260] euros an evening.
The firmware requires version [2.4|3.0] or later.
The council has its seat in [Brackwater|Elmsford].
The allowance for meals is [28|32] euros a day.
The clinic is headed by [Professor Adler|Professor Nowak].
Sample storage must not exceed [minus 20|minus 70] degrees.
The trail is closed until [April|May].
The reservoir holds [4|6] million cubic metres.
The fee for late returns is [0.50|1.00] euro per day.
The conference hotel is the [Hotel Merkur|Hotel Astoria].
The permit was issued on [3 February 2023|9 January 2025].
The insurance is provided by [Norland|Baltica].
The data is kept for [90|30] days.
The choir meets every [Tuesday|Thursday].
The ferry costs 30 thalers for adults. >> The ferry now costs 40 thalers for adults.
The shop is closed on Mondays. >> The shop is open on Mondays.
The hull is painted blue. >> The hull is painted red.
Dogs are allowed on the beach. >> Dogs are not allowed on the beach.
The office was in the old mill. >> The office has moved to the customs house.
Anna Berg leads the project. >> The project is led by Karl Stone.
The limit was 5 MB per upload. >> Uploads may be up to 20 MB.
Smoking is permitted on deck. >> Smoking is no longer permitted on deck.
`
const CONFLICTS = `
The Battle of Aldmoor was fought in [1412|1421].
The tower was built by [Henrik Dahl|Oskar Lindt].
The lake is [84|97] metres deep.
The expedition set out with [23|32] men.
The poet was born in [Westerby|Elmsford].
The first mill was built in [1760|1767].
The treaty was signed in [Brackwater|Norhaven].
The comet has a period of [76|86] years.
The ship sank on [12 November 1911|14 November 1911].
The recipe needs [200|300] grams of butter.
The recommended dose is [5|50] milligrams twice a day.
The composer wrote [nine|eleven] symphonies.
The mountain is [2,864|2,684] metres high.
The patent was granted to [Clara Weiss|Emil Brandt].
The river rises near [Oldenau|Steinfurt].
The painting hangs in the [Kessler Gallery|Royal Museum].
The bridge carries up to [40|14] tonnes.
The company was founded by [Ruth Mercer|Ada Mercer].
The fire destroyed [112|121] houses.
The code of the safe has [four|six] digits.
The meeting was attended by [61|16] delegates.
The reactor was shut down on [7 May 1988|8 May 1988].
The novel was published in [1893|1898].
The pipe has a diameter of [12|20] centimetres.
The island belongs to [Denmark|Sweden].
The bell weighs [3.2|2.3] tonnes.
The first headmaster was [Gustav Holm|Ernst Wieland].
The mushroom is edible. >> The mushroom is not edible.
The castle was built of brick. >> The castle was built of granite.
Water of the spring is safe to drink. >> Water of the spring is never safe to drink.
`
const NEITHER = `
Room [12|13] seats 40 people.
[Anna|Karl] paints three boats a year.
In [2023|2024] the revenue was five million euros.
Revenue in [2023|2024] was 5 million euros.
Article [7|9] applies to ships under foreign flags.
On [3 May|5 May] the council discussed the harbour.
The ferry to [Norhaven|Port Ellis] costs 30 thalers.
Director [Anna Berg|Karl Stone] opened the hall.
The ferry costs 30 thalers. >> The ferry costs thirty thalers.
The library has 1,200 books. >> The library has 1200 books.
The museum opens at 9:00. >> The museum opens at 9.00.
The house has about 40 rooms. >> The house has 41 rooms.
The mayor is Anna Berg. >> The mayor is Berg.
The harbour was built in 1912. >> The harbour was built in May 1912.
The tower is 34 metres high. >> The wall is 34 metres long.
The ferry costs 30 thalers. >> The ferry carries 40 passengers.
The ferry leaves at nine. >> The train leaves at ten.
The mayor of Norhaven is Anna Berg. >> The mayor of Westerby is Karl Stone.
The price of bread is 2 euros. >> The price of butter is 3 euros.
Children under [6|12] pay [nothing|half].
In [winter|summer] the museum closes at [16:00|18:00].
Adults pay 30 thalers. >> Children pay 15 thalers.
The north wing was built in 1890. >> The south wing was built in 1902.
Bus 12 leaves every 20 minutes. >> Bus 14 leaves every 20 minutes.
Chapter 3 describes the engine. >> Chapter 4 describes the engine.
The club was founded in 1921. >> The club was founded by Ida Falk.
The office is open from Monday to Friday. >> The office is open on Monday.
Anna Berg lives in Norhaven. >> Anna Berg works in Norhaven.
Anna Berg was born in Norhaven. >> Anna Berg died in Westerby.
The first prize is 500 euros. >> The second prize is 200 euros.
The red door leads to the garden. >> The green door leads to the cellar.
The engine needs oil every 500 hours. >> The gearbox needs oil every 900 hours.
Version 2.3 supports IPv6. >> Version 2.4 supports IPv6.
The ferry has run since 1950. >> The ferry began to run in 1950.
The bridge is 400 metres long. >> The bridge is 0.4 kilometres long.
The fee is 40 thalers. >> The fee is 40 thalers, payable in advance.
Karl Stone met Anna Berg in Leipzig. >> Karl Stone met Ida Falk in Dresden.
In March the shop sold 120 lamps. >> In April the shop sold 95 lamps.
The team scored 3 goals in the first half. >> The team scored 2 goals in the second half.
Team A has 12 points. >> Team B has 9 points.
The 2022 report lists 14 accidents. >> The 2023 report lists 9 accidents.
Patients over 65 receive 10 milligrams. >> Patients under 65 receive 20 milligrams.
The main hall holds 500 guests. >> The small hall holds 80 guests.
The river is up to 30 metres wide. >> The river is 20 metres wide at the mill.
Employees in Ireland have 21 days of leave. >> Employees in Estonia have 28 days of leave.
Step 1 takes 10 minutes. >> Step 2 takes 15 minutes.
The morning ferry leaves at 8:00. >> The evening ferry leaves at 18:00.
Tickets for students cost 5 euros. >> Tickets for adults cost 9 euros.
The author of the first volume is Clara Weiss. >> The author of the second volume is Emil Brandt.
Unit 4 was shut down in 1991. >> Unit 3 was shut down in 1994.
The mill stands at the river. >> The old mill still stands at the river.
The keeper is called Jonas. >> The keeper, Jonas, is old.
The film won the prize in Berlin. >> The film won a prize in Venice.
He visited Leipzig. >> He visited Dresden.
The concert begins at 20:00. >> Doors open at 19:00.
The plant employs 300 people in Aldmoor. >> The plant employs 120 people in Westerby.
The heron eats fish. >> The heron eats frogs.
Sales rose by 3 percent in May. >> Sales rose by 5 percent in June.
The train stops in Aldmoor. >> The train stops in Westerby.
The temperature was 21 degrees at noon. >> The temperature was 14 degrees at midnight.
`

/** Kinds of statements that the first 150 do not have: whole dates and spans of time, short sentences, other languages, and scripts without spaces. */
const MORE_CHANGES = `
The grant application deadline is [1 March 2025|5 April 2025].
The grant application deadline is [1 March|1 April] 2025.
The grant application deadline is [March 1, 2025|April 5, 2025].
The lease ends on [Monday, 3 March 2025|Friday, 4 April 2025].
The survey closes on [2025-03-01|2025-04-05].
Registration closes on [1 Mar 2025|5 Apr 2025].
The office is open from [9 am to 5 pm|10 am to 6 pm].
The pool is open [9:00–17:00|10:00–18:00].
The counter is staffed from [8 a.m. to 4 p.m.|9 a.m. to 5 p.m.]
The shop is open from [Monday to Friday|Tuesday to Saturday].
The season lasts from [1 May to 30 September|15 May to 15 October].
The fee is [$30|$40].
The deposit was [200|250] euros.
The deadline is [5 May|12 June].
Die Frist endet am [1. März 2025|5. April 2025].
Die Bewerbungsfrist endet am [1. März|5. April].
Der Preis der Fähre beträgt [30|40] Euro.
Das Büro ist von [9 bis 17 Uhr|10 bis 18 Uhr] geöffnet.
Die Leiterin des Museums ist [Anna Berg|Ida Falk].
Die Versammlung findet am [Dienstag|Donnerstag] statt.
La date limite des candidatures est le [1er mars 2025|5 avril 2025].
Le bac coûte [30|40] euros.
Le musée est ouvert de [9 h à 17 h|10 h à 18 h].
La fecha límite es el [1 de marzo de 2025|5 de abril de 2025].
El transbordador cuesta [30|40] euros.
La scadenza è il [1 marzo 2025|5 aprile 2025].
O prazo termina em [1 de março de 2025|5 de abril de 2025].
De termijn eindigt op [1 maart 2025|5 april 2025].
Срок подачи заявок истекает [1 марта 2025|5 апреля 2025] года.
Билет на паром стоит [30|40] рублей.
Termin upływa [1 marca 2025|5 kwietnia 2025] roku.
ينتهي التسجيل في [1 مارس 2025|5 أبريل 2025].
渡船的票价是[40|50]元。
渡船的票价是[四十|五十]元。
申请截止日期是[2025年3月1日|2025年4月5日]。
博物馆的开放时间是[上午9点|上午10点]。
湖の深さは[84|97]メートルです。
申請の締め切りは[3月1日|4月5日]です。
図書館は[9時から17時|10時から18時]まで開いています。
요금은 [40|50]원입니다.
ค่าโดยสารเรือ[40|50]บาท
`
const MORE_CONFLICTS = `
Hunde sind am Strand erlaubt. >> Hunde sind am Strand nicht erlaubt.
Es gibt eine Fähre nach Norhaven. >> Es gibt keine Fähre nach Norhaven.
Les chiens sont admis sur la plage. >> Les chiens ne sont pas admis sur la plage.
La baignade est autorisée dans le lac. >> La baignade n'est plus autorisée dans le lac.
Se permiten perros en la playa. >> No se permiten perros en la playa.
I cani sono ammessi in spiaggia. >> I cani non sono ammessi in spiaggia.
Os cães são permitidos na praia. >> Os cães não são permitidos na praia.
Honden zijn toegestaan op het strand. >> Honden zijn niet toegestaan op het strand.
Купаться в озере разрешено. >> Купаться в озере не разрешено.
海滩允许带狗。 >> 海滩不允许带狗。
この湖では泳げます。 >> この湖では泳げません。
السباحة في البحيرة مسموح بها. >> السباحة في البحيرة ليس مسموح بها.
Der See ist [84|97] Meter tief.
Le lac a une profondeur de [84|97] mètres.
塔建于[1760|1767]年。
`
const MORE_NEITHER = `
The grant application deadline is 1 March 2025. >> The grant application deadline is March 1, 2025.
The grant application deadline is 1 March. >> The grant application deadline is 1 March 2025.
The survey closes on 2025-03-01. >> The survey closes on 1 March 2025.
The survey closes on 1.3.2025. >> The survey closes on 1 March 2025.
The pool opens at 9 am. >> The pool opens at 9 a.m.
The pool is open from 9 to 17. >> The pool is open 9–17.
The office is open from Monday to Friday. >> The office is open on Tuesday.
The council met on 3 May 2024 in the town hall. >> The council met on 7 June 2024 in the town hall.
On 3 May 2024 the ferry sank. >> On 7 June 2024 the ferry sank.
It costs 30 thalers. >> It costs 40 thalers.
This is page 30. >> This is page 40.
Page 3 of 40 >> Page 4 of 40
Total: 40 >> Total: 50
He was 30. >> He was 40.
The war began in May. >> The war ended in June.
Am 3. Mai tagte der Rat. >> Am 7. Juni tagte der Rat.
Raum 12 hat 40 Plätze. >> Raum 13 hat 40 Plätze.
Der Turm hat eine Glocke. >> Der Turm hat eine Treppe.
Die Fähre nach Norhaven kostet 30 Euro. >> Die Fähre nach Westerby kostet 40 Euro.
Der Preis beträgt 30 Euro. >> Der Preis beträgt dreißig Euro.
Der Preis beträgt etwa 30 Euro. >> Der Preis beträgt 31 Euro.
Erwachsene zahlen 30 Euro. >> Kinder zahlen 15 Euro.
Die Frist endet am 1. März 2025. >> Die Frist endet am 01.03.2025.
Le bac coûte deux euros. >> Le bac coûte 2 euros.
Le chien mange la viande. >> Le chat mange la viande.
Le 3 mai, le conseil a siégé. >> Le 7 juin, le conseil a siégé.
La sala 12 tiene 40 plazas. >> La sala 13 tiene 40 plazas.
El transbordador cuesta 30 euros. >> El autobús cuesta 3 euros.
В 2023 году доход составил 5 миллионов. >> В 2024 году доход составил 6 миллионов.
渡船的票价是40元。 >> 渡船的票价是四十元。
大人票40元。 >> 儿童票20元。
3号楼有40层。 >> 5号楼有40层。
第一章介绍发动机。 >> 第二章介绍发动机。
りんごは40円です。 >> みかんは50円です。
湖の深さは84メートルです。 >> 湖の幅は97メートルです。
申请截止日期是2025年3月1日。 >> 申请截止日期是3月1日。
会議は3月1日に開かれました。 >> 会議は三月一日に開かれました。
The band may march in spring. >> The band marches in spring.
Les visiteurs peuvent entrer. >> Les visiteurs peuvent entrer ici.
Non, il museo è aperto. >> Il museo è aperto.
`

export interface Pair {
  readonly kind: 'change' | 'conflict' | 'neither'
  readonly before: string
  readonly after: string
}

const read = (kind: Pair['kind'], lines: string): Pair[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [before, after] = line.split(' >> ')
      if (before !== undefined && after !== undefined) return { kind, before, after }
      return { kind, before: line.replaceAll(/\[([^|]*)\|[^\]]*\]/g, '$1'), after: line.replaceAll(/\[[^|]*\|([^\]]*)\]/g, '$1') }
    })

export const pairs: readonly Pair[] = [...read('change', CHANGES), ...read('conflict', CONFLICTS), ...read('neither', NEITHER)]

/** Written for what the first did not find, before the rules for it; counted apart. */
export const morePairs: readonly Pair[] = [
  ...read('change', MORE_CHANGES),
  ...read('conflict', MORE_CONFLICTS),
  ...read('neither', MORE_NEITHER),
]
