/**
 * Whether a question leans on the turn before it: it begins as a continuation ("And …", "What about …"), it has a pronoun that nothing in it names,
 * or hardly a word of its own. Any other question stands alone, and looking it up together with the turn before would find an answer to that one.
 * By word lists of four languages; a question in another language is assumed to lean, since nothing shows that it does not.
 */
import { distinct, terms, words } from '../text/terms'

const FEW = 2 // words of its own that a question must have

const GOING_ON =
  /^[¿¡"“]*(?:and|also|but|or|so|then|what about|how about|und|auch|aber|oder|was ist mit|wie steht es mit|et|aussi|mais|ou|y|también|pero|o)(?=[\s,?!.]|$)/iu
const LATIN = /\p{Script=Latin}/u

const listed = (text: string): readonly string[] => text.split(' ')

/** These stand for somebody or something, whatever follows. */
const PRONOUNS: ReadonlySet<string> = new Set([
  ...listed('he him his she her hers it its they them their theirs'),
  ...listed('er ihn ihm sein seine seiner sie ihr ihre ihrer ihnen es dessen davon damit dafür'),
  ...listed('il elle ils elles lui leur leurs celui celle ceux cela ça'),
  ...listed('él ella ellos ellas ello eso su sus allí'),
])
/** These do so only at the end of a question: "What is this?", not "What is this island?". */
const AT_THE_END: ReadonlySet<string> = new Set([
  ...listed('this that these those there one ones'),
  ...listed('dort dies das diese dieser dieses'),
  ...listed('là ceci y en'),
  ...listed('esto esta este esa ese'),
])

export function leansOnEarlier(question: string): boolean {
  const said = question.trim()
  if (GOING_ON.test(said) || !LATIN.test(said)) return true
  if (distinct(terms(said)).length < FEW) return true
  const own = words(said).map(({ text }) => text)
  if (AT_THE_END.has(own.at(-1)?.toLowerCase() ?? '')) return true
  const pronoun = own.findIndex((word) => PRONOUNS.has(word.toLowerCase()))
  const name = own.findIndex((word, at) => at > 0 && /^\p{Lu}/u.test(word))
  return pronoun >= 0 && (name < 0 || pronoun < name)
}
