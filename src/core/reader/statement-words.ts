/** Words that statements are compared by, of English and of the languages with stemmers: closed classes, in lower case. */

import { german } from '../support/grammar/de'
import { spanish } from '../support/grammar/es'
import { french } from '../support/grammar/fr'
import { fold } from '../text/fold'

const among = (...lists: readonly string[]): ReadonlySet<string> => new Set(lists.flatMap((list) => fold(list).split(' ')))

const ENGLISH_NUMBERS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, i): [string, string] => [word, String(i <= 20 ? i : (i - 18) * 10)])
const written = (list: string): [string, string][] =>
  fold(list)
    .split(' ')
    .map((pair) => pair.split(':') as [string, string])

export const NUMBERS: ReadonlyMap<string, string> = new Map([
  // Spellings of one language that are other words of another (French "six", Spanish "once") mean the same number or stand in no English sentence for one.
  ...written(french.numbers).filter(([word]) => !word.includes('-') && word !== 'six'),
  ...written(spanish.numbers).filter(([word]) => word !== 'once'),
  ...written(german.numbers).filter(([word]) => word !== 'elf' && word !== 'acht'),
  ['acht', '8'],
  ...ENGLISH_NUMBERS,
])

/** Each turns a sentence into its contrary and means nothing else in another language. */
export const NEGATIONS = among(
  'not no never nor none neither cannot',
  'nicht kein keine keiner keinen keinem keines nie niemals', // German
  'pas jamais aucun aucune', // French, which also has those below
  'nunca jamas ningun ninguno ninguna tampoco', // Spanish
  'non nessun nessuno nessuna', // Italian
  'nao nenhum nenhuma', // Portuguese
  'niet geen nooit', // Dutch
  'не нет нельзя никогда', // Russian
  'inte ikke', // Swedish, Danish and Norwegian
  'لا لم لن ليس ليست', // Arabic
)
/** Behind "ne" or "n’". */
export const NE_PARTNERS = among('pas plus jamais aucun aucune rien personne guere point')
export const HAN_NEGATIONS = among('不 没 沒 未 无 無')
/** How a Japanese verb or adjective ends that is negated. */
export const HIRAGANA_NEGATION = /(?:ません|ませんでした|ない|なかった|ないでください|ないです|なかったです)$/u
/** Without a meaning: particles and the endings of a plain sentence. */
export const HIRAGANA_SMALL =
  /^(?:は|が|を|に|で|と|も|の|へ|や|か|ね|よ|から|まで|より|です|でした|ます|ました|だ|である|という|ください)+$/u
export const HAN_SMALL = among('的 了 是 在 有 和 与 與 也 都 就 为 為 现 現 已 被 把 于')

export const SOFT = among('now currently today still already new newly longer meanwhile')
export const ROUGHLY = among(
  'about around roughly nearly almost approximately some circa',
  'etwa rund ungefahr ca knapp fast environ presque unos unas casi aproximadamente quasi cerca quase ongeveer bijna около примерно почти 约 約',
)
/** Small words that distinguish two things. */
export const CONTRASTS = among(
  'over under before after above below with without',
  'uber unter vor nach mit ohne sur sous avant apres avec sans sobre bajo antes despues con sin sopra sotto prima dopo senza sem com depois',
  'boven onder voor met zonder над под после без',
)
/** Before a name, these say which of several things is meant. */
export const WHICH = among(
  'to of in at for from',
  'nach von aus fur bei zu im am a au aux de du d en pour para em do da no na per di del della naar van uit voor bij te в из для на',
)
/** After these, a number is what a thing is called. */
export const NUMBERED = among(
  'room article section chapter page line gate platform part step version level floor class model number figure table paragraph clause unit bus route flight track team volume rule item question door building house hall station',
  'zimmer raum artikel abschnitt kapitel seite linie tor gleis bahnsteig teil schritt stufe klasse modell nummer abbildung tabelle absatz paragraf regel haus halle',
  'sala habitacion salle chapitre page ligne quai partie etape niveau etage modele numero figure tableau paragraphe regle capitulo pagina linea articulo anden parte paso nivel modelo tabla',
)
/** After a number, these make it what a thing is called. */
export const HAN_CALLED = /[号號番室章条條页頁课課]/u
/** What may stand before a name without being its subject. */
export const ARTICLES = among('the a an our his her their its my your this that')
/** A short sentence may begin with one; after a pronoun it would not say what it speaks of. */
export const PLAIN_ARTICLES = among('the a an der die das ein eine le la les l un une el los las una il lo gli i o os as um uma de het een')
/** After them, at the end of what is said, a month or a year only says when. */
export const WHEN = among('in on at during since by')
/** In a German sentence a single noun behind them is a name. */
export const GERMAN_BEFORE_NAMES = among('ist war heisst in aus nach von bei dr prof professor frau herr herrn')

/** Between the two ends of a span of time or numbers. */
export const SPANNING = among('to until till through bis a au до tot al ate hasta 至 到 から')
