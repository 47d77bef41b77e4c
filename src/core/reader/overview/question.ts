/**
 * Is a question about a whole (a document, several, all of them) instead of a thing in it? Told by its form alone, in English, German, French and Spanish: the whole
 * question must have it, so that one which only says "main" or "summary" is none. What it is about stays words: which documents those are, the graph says.
 */
import { fold } from '../../text/fold'
import { type Form, forms } from './forms'

export type OverviewKind = 'summary' | 'comparison' | 'common'

export interface OverviewQuestion {
  readonly kind: OverviewKind
  /** What it is about, folded, as it says it; one of a comparison that names its sides apart has two. Empty: it does not say. */
  readonly about: readonly string[]
  /** What must be named for the question to be one: anything; a text, by its name or its kind ("the report"); a kind of text, nothing less. */
  readonly needs: Form['needs']
}

const LONGEST = 240 // characters: what is longer is a task or a pasted text
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

/** Without politeness, quotation marks, and how long the answer is to be. */
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
