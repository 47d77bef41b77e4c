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
