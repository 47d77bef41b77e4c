/**
 * Is a question about a whole (a document, several, all of them) rather than about a thing in it? Decided by its form alone, in English, German,
 * French and Spanish: the whole question must have that form, so that one which merely says "main" or "summary" does not count. What it is about
 * remains words: the graph says which documents those are.
 */
import { fold } from '../../text/fold'
import { type Form, forms } from './forms'

export type OverviewKind = 'summary' | 'comparison' | 'common'

export interface OverviewQuestion {
  readonly kind: OverviewKind
  /** What it is about, folded, in its own words; a comparison that names its sides separately has two. Empty: it does not say. */
  readonly about: readonly string[]
  /** What must be named for the question to count: anything; a text, by its name or its kind ("the report"); or nothing less than a kind of text. */
  readonly needs: Form['needs']
}

const LONGEST = 240 // characters: anything longer is a task or a pasted text
const OPENING =
  /^(?:(?:please|hi|hello|hey|ok|so|and|now|bitte|hallo|bonjour|hola|merci de|por favor|s'il (?:te|vous) plait)[,!]?\s+|(?:can|could|would|will) you(?: please)?\s+|(?:kannst du|konntest du|konnen sie|konnten sie)(?: mir)?(?: bitte)?\s+|(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous)(?: me| nous)?\s+|(?:puedes|podrias|puede|podria)\s+|(?:i|we) (?:want|need|would like|'d like)(?: you to)?\s+)+/
const CLOSING = [
  /[\s,]+(?:please|for me|briefly|overall|in general|in brief|in short|in detail|as a whole|altogether|so far|bitte|kurz|insgesamt|en general|en bref|brevemente|por favor|s'il (?:te|vous) plait)$/,
  /[\s,]+(?:in|as|with|using|mit|als|en|avec|con) (?:(?:about|at most|no more than|hochstens|etwa|maximum) )?(?:a |an |one |two |three |four |five |six |ten |a few |ein(?:em|er|en)? |zwei |drei |funf |une? |deux |trois |cinq |un[oa]? |dos |tres |cinco |\d+ )?(?:short |bullet |kurzen |courtes? |breves? )?(?:sentences?|words?|lines?|paragraphs?|points?|bullets?|list|satz(?:en)?|satze|worten|zeilen|punkten|stichpunkten|phrases?|mots|lignes|paragraphes?|frases?|palabras|lineas|parrafos?|puntos?)$/,
]

export function overviewQuestion(question: string): OverviewQuestion | undefined {
  if (question.length > LONGEST) return undefined
  const text = bare(question)
  for (const { kind, needs, pattern } of forms) {
    const { groups } = pattern.exec(text) ?? {}
    if (!groups && !pattern.test(text)) continue
    const about = [groups?.a, groups?.b].flatMap((one) => (one === undefined || one.trim() === '' ? [] : [one.trim()]))
    return { kind, about, needs }
  }
  return undefined
}

/** Without politeness, quotation marks, and how long the answer should be. */
function bare(question: string): string {
  let text = fold(question)
    .replace(/[’‘`´]/g, "'")
    .replace(/["“”„«»¿¡*_]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\s?.!:;]+$/, '')
    .replace(OPENING, '')
  for (let before = ''; before !== text; ) {
    before = text
    for (const closing of CLOSING) text = text.replace(closing, '')
  }
  return text
}
