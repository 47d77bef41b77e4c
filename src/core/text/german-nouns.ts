/**
 * Names among the nouns of German, which are all capitalised: a word after a determiner is a noun ("am Marktplatz"), and of several words the first
 * is ("die Bäckerei Hufnagel"); so is anything that is counted or ends as only nouns do. Only closed classes, no dictionary; names with an article
 * ("der Rhein") are lost. Pure.
 */

/** Words that open a sentence, in lower case. */
export const GERMAN_OPENERS: ReadonlySet<string> = new Set(
  (
    'der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner mein meine dein deine sein seine seinen ihr ihre ihren ihrem unser unsere unseren euer eure dieser diese dieses diesen diesem ' +
    'jener jene jenes jeder jede jedes jeden alle alles viele vieles einige mehrere manche wenige beide solche andere ich du er sie es wir man wer was wen wem wessen wo wann wie warum weshalb wieso welche welcher ' +
    'welches in im ins an am auf aus bei beim mit nach von vom vor zu zum zur über unter zwischen durch für gegen ohne um seit bis während wegen trotz hinter neben gegenüber und oder aber denn doch sondern weil ' +
    'wenn als ob dass damit obwohl nachdem bevor sobald solange falls so da dann danach davor daher darum deshalb deswegen dennoch trotzdem außerdem zudem ferner jedoch allerdings inzwischen mittlerweile damals heute ' +
    'gestern morgen jetzt nun bald später früher zuerst zuletzt schließlich endlich anschließend daraufhin seitdem dort hier hierzu dazu dabei dadurch hierbei vielleicht leider natürlich sicher offenbar wohl kaum nur ' +
    'auch noch schon wieder immer nie niemals oft manchmal meist meistens besonders insbesondere vor allem kürzlich neulich zunächst ebenso ebenfalls sogar etwa rund fast nicht nichts niemand jemand etwas bitte danke ' +
    'liebe lieber sehr hallo ist sind war waren hat haben wird werden wurde wurden kann können könnte könntest könnten soll sollte muss müssen darf möchte ja nein zwar also somit folglich'
  ).split(' '),
)
/** Words by which somebody is addressed. */
const TITLES = new Set('Frau Herr Herrn Doktor Dr Professor Prof Fräulein Familie Firma'.split(' '))
const DETERMINER =
  '(?:d(?:er|ie|as|en|em|es)|(?:k?ein|mein|dein|sein|ihr|unser|eu(?:e)?r)(?:e[nmrs]?)?|(?:dies|jen|jed|manch|welch|solch|all|viel|einig|mehrer|wenig|beid|ander)(?:e[nmrs]?)?|am|im|ins|ans|zum|zur|beim|vom)'
const ADJECTIVES = '(?: \\p{Ll}+(?:e|en|er|es|em))'
const DETERMINED = new RegExp(`(?:^|[^\\p{L}])${DETERMINER}${ADJECTIVES}{0,2}\\s$`, 'iu')
const DETERMINED_NOUN = new RegExp(`(?<!\\p{L})${DETERMINER}${ADJECTIVES}{0,2} (?<noun>\\p{Lu}[\\p{L}-]*)`, 'giu')
/** No name of one word ends like this. */
const DERIVED = /(?:.{2}(?:ung|ungen|heit|heiten|keit|keiten|schaft|schaften|tion|tionen|tät|täten|ismus|nisse?))$/u
const FAR_BACK = 60 // characters within which a determiner stands
const JOINS = new Set(['von', 'zu', 'für'])

export interface Word {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Small words inside a German name. */
export function joinsInGerman(last: string, word: string): boolean {
  return JOINS.has(word) || ((last === 'von' || last === 'für') && /^d(?:er|en|em|ie|as)$/u.test(word))
}

/** Which parts of a run of capitalised words are names. */
export function germanNames(text: string, run: readonly Word[]): readonly (readonly Word[])[] {
  const [first, second] = run
  if (!first) return []
  const isDetermined = DETERMINED.test(text.slice(Math.max(0, first.start - FAR_BACK), first.start))
  if (!second) return isDetermined || DERIVED.test(first.text) || TITLES.has(first.text) ? [] : [run]
  if (run.length === 2 && /^\p{N}/u.test(first.text)) return []
  const join = run.findIndex((word) => JOINS.has(word.text))
  if (join > 0 && (isDetermined || DERIVED.test(first.text)) && run[join]?.text === 'von') {
    const after = run.slice(join + 1).filter((word, i) => i > 0 || /^\p{Lu}/u.test(word.text))
    return [...(join > 1 ? [run.slice(1, join)] : []), after]
  }
  if (join === 1) return [run]
  if (TITLES.has(first.text)) return [run.slice(1)]
  return isDetermined && join < 0 ? [run, run.slice(1)] : [run]
}

/** Nouns that occur in a text with a determiner, in lower case. */
export function determinedNouns(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(DETERMINED_NOUN)].map(({ groups }) => (groups?.noun ?? '').toLowerCase()))
}
