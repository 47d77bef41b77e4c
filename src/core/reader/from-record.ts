/**
 * What a record answers: the value of the field that a question asks for, if everything else in the question is said by the record's other fields
 * or by what it stands under. Only if one record does so, or all that do agree: anything less exact is read like other text. Pure.
 */
import { mayBeEnglish } from '../language/detect'
import { readTerms as terms } from '../text/read-terms'
import { stemmingOf } from '../text/stemming'
import type { Passage } from './candidates'
import type { Question } from './question'
import type { QuestionTerms } from './question-terms'
import { type Field, recordsIn, type TextRecord } from './records'
import { discriminativeWords, type QuestionWord, questionWords } from './roles'
import { termsSaid } from './said'

export interface FromRecord {
  readonly passage: number
  readonly record: TextRecord
  readonly field: Field
  /** Fields that say what the question speaks of. */
  readonly named: readonly Field[]
}

const MIN_STEM = 4 // letters: "keeper" is asked for by "keeps"
/** Labels often used for what is asked, by the kind of the question and by what measures it. English, German, French, Spanish. */
const USUAL: { readonly [kind in Question['kind']]?: RegExp } = {
  count: /^(?:count|number|quantity|total|amount|anzahl|menge|nombre|quantité|cantidad|número)$/iu,
  date: /^(?:date|day|time|when|datum|tag|jour|fecha)$/iu,
  year: /^(?:year|date|jahr|datum|année|año|fecha)$/iu,
  place: /^(?:place|location|where|site|address|ort|standort|adresse|lieu|lugar)$/iu,
}
const MEASURES: readonly (readonly [asked: RegExp, key: RegExp])[] = [
  [/\bhow (?:high|tall)\b|\bwie hoch\b/iu, /height|altitude|höhe/iu],
  [/\bhow long\b|\bwie lang/iu, /length|duration|länge|dauer/iu],
  [/\bhow wide\b/iu, /width/iu],
  [/\bhow deep\b|\bwie tief\b/iu, /depth|tiefe/iu],
  [/\bhow old\b|\bwie alt\b/iu, /(?<!\p{L})age(?!\p{L})|alter/iu],
  [/\bhow far\b|\bwie weit\b/iu, /distance|entfernung/iu],
  [/\bhow heavy\b|\bwie schwer\b/iu, /weight|gewicht/iu],
  [/\bhow (?:large|big)\b|\bwie groß\b/iu, /size|area|größe|fläche/iu],
  [/\bhow fast\b/iu, /speed/iu],
  [/\bhow much\b|\bcosts?\b|\bwie ?viel\b|\bkostet\b/iu, /price|cost|amount|rent|fee|preis|betrag|miete|kosten/iu],
]
const ANSWERED_BY_NONE: ReadonlySet<Question['kind']> = new Set(['yes-no', 'reason'])
const NUMBER = /^[^\p{L}]*\p{N}/u
/** Verbs that only say that a thing has a value. */
const EMPTY: ReadonlySet<string> = new Set('there have has had is are was were been did does do'.split(' '))
/** Words of other languages that say as little; in English some of these spellings are other words ("when did he die"). */
const SMALL: ReadonlySet<string> = new Set((['de', 'fr', 'es'] as const).flatMap((language) => [...stemmingOf(language).stopWords]))

export function fromRecord(question: Question, passages: readonly Passage[], asked: QuestionTerms): FromRecord | undefined {
  if (ANSWERED_BY_NONE.has(question.kind)) return undefined
  const small = mayBeEnglish(question.text) ? EMPTY : SMALL
  const words = discriminativeWords(questionWords(question, asked)).filter(({ word, role }) => role === 'name' || !small.has(word))
  if (words.length === 0) return undefined
  const found = passages.flatMap((passage, i) =>
    recordsIn(passage.text).flatMap((record) => {
      const answer = answerOf(question, record, { words, heads: termsSaid(passage.title ?? '') })
      return answer ? [{ passage: i, record, ...answer }] : []
    }),
  )
  const [first] = found
  return first && found.every(({ field }) => field.value === first.field.value) ? first : undefined
}

interface Sought {
  readonly words: readonly QuestionWord[]
  /** Terms of what the record stands under. */
  readonly heads: ReadonlySet<string>
}

function answerOf(question: Question, record: TextRecord, { words, heads }: Sought): Pick<FromRecord, 'field' | 'named'> | undefined {
  const answers = record.fields.flatMap((field) => {
    const keys = terms(field.key)
    const isOfKey = ({ terms: own, role }: QuestionWord): boolean =>
      role !== 'name' && own.some((term) => keys.some((key) => isAkin(key, term)))
    const byWord = words.filter(isOfKey)
    const measured = measureOf(question, field)
    const isUsual = measured !== undefined || USUAL[question.kind]?.test(field.key) === true
    if ((byWord.length === 0 && !isUsual) || (question.kind === 'count' && !NUMBER.test(field.value))) return []
    const rest = words.filter((word) => !byWord.includes(word) && !(isUsual && (word.role === 'measure' || measured?.includes(word.word))))
    const others = record.fields.filter((one) => one !== field).map((one) => ({ one, said: termsSaid(one.value) }))
    const saidBy = (word: QuestionWord) => others.filter(({ said }) => word.terms.every((term) => said.has(term))).map(({ one }) => one)
    const keysSaid = new Set(record.fields.flatMap(({ key }) => terms(key)))
    const isSaid = (word: QuestionWord): boolean =>
      saidBy(word).length > 0 || word.terms.every((term) => heads.has(term) || keysSaid.has(term))
    const named = [...new Set(rest.flatMap(saidBy))]
    if (named.length === 0 || !rest.every(isSaid)) return []
    return [{ field, named, weight: byWord.length + Number(isUsual) }]
  })
  const [best, second] = answers.sort((a, b) => b.weight - a.weight)
  return best && best.weight > (second?.weight ?? 0) ? best : undefined
}

/** The words of the question that ask for an amount, if the field's label is one for that amount. */
function measureOf({ kind, text }: Question, { key }: Field): string | undefined {
  if (kind !== 'amount' && kind !== 'count') return undefined
  const found = MEASURES.find(([asked, label]) => asked.test(text) && label.test(key))
  return found && text.match(new RegExp(found[0], 'giu'))?.join(' ').toLowerCase()
}

/** The same word, or one derived from the other: "keeper" and "keeps". */
function isAkin(key: string, term: string): boolean {
  if (key === term) return true
  const [short, long] = key.length < term.length ? [key, term] : [term, key]
  return short.length >= MIN_STEM && long.startsWith(short)
}
