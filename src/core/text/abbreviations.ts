/**
 * The words after which a full stop does not end the sentence (mainly English; some German, French and Spanish). Written without the last stop, in
 * lower case.
 */

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '))

/** These are always followed by something. */
export const LEADING = list(
  'mr mrs ms messrs mme mlle dr drs prof st ste gen brig maj col lt capt cmdr adm sgt cpl pvt rev hon sen rep gov pres supt mt ft rt vs v cf ca c approx ' +
    'esp e.g i.e eg ie viz al hr fr sr.ta sra srta z.b d.h u.a bzw ggf inkl usw.f',
)
/** A number follows; before anything else the stop ends the sentence. */
export const NUMBERED = list('no nos nr núm vol vols p pp fig figs ch sec art eq op bd s jan feb mar apr jun jul aug sep sept oct nov dec')
/** These may stand anywhere: the sentence ends only if the next word is a likely beginning of one. */
export const OPEN = list(
  'inc corp ltd co bros jr sr esq etc est dept univ ave blvd rd ph.d m.d b.a m.a a.m p.m a.d b.c usw ff ed eds trans',
)
/** Words that begin a sentence when capitalised after such a stop. */
export const STARTERS = list(
  'the a an this that these those it its he she they we you i his her their our there here in on at to from for by with as after before during since until ' +
    'when while where if although though because however but and or nor so then thus also another both each some many most all not no what who why how which ' +
    'one two three several later today now early under over between among through according born',
)
/** A number and a stop before one of these is a day: "am 3. Mai", "den 3. maj". It has no English months except those spelled alike; "It has 12. August was hot." is lost. */
export const MONTHS = list(
  'januar februar märz april mai juni juli august september oktober november dezember jänner feber marts maj oktober december januari februari mars juni juli augusti oktober',
)
