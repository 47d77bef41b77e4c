/**
 * The answer to a question about a whole, if no text model writes one: for several documents a line each, with its title and the sentences that say
 * most of what it often says, its opening sentence first; for one document a paragraph; for a comparison a line for each side. Every sentence is a
 * slice of a passage. It extracts; it does not summarise.
 */

import { languageOf } from '../../support/grammar/languages'
import { readTerms as terms } from '../../text/read-terms'
import { rowInWords } from '../../text/table-row'
import { type Candidate, candidatesOf, type Passage } from '../candidates'
import type { Composed, Statement } from '../compose'
import type { QuestionTerms } from '../question-terms'
import { mostSaid, type Piece, saidBy, type WeightOf, weightBy } from './most-said'
import type { OverviewPlan } from './plan'

export const overviewReaderLimits = {
  sentences: 20, // in an answer about several documents
  alone: 10, // in an answer about one
  lines: 12, // documents that have a line
  characters: 2400, // in an answer
  longest: 420, // of a sentence that is shown, at most
  words: 3, // a sentence of fewer says nothing by itself
} as const
const LEADS = 1.5 // the first sentence of a part, compared with another that says as much
const FIGURES = 1.15 // a sentence with a number, compared with one without
const SHARED = 2 // a word that the other side says, too
const ALSO = { en: 'Also', de: 'Außerdem', fr: 'Aussi', es: 'También' } as const
const EMPTY_LINE = /\n\s*\n/
const ASKED = 3 // a word from what a topic is about, by its rarity

export interface OverviewPassage extends Passage {
  readonly document: string
  /** Place in its document. */
  readonly start: number
}

interface Sentence extends Piece {
  readonly candidate: Candidate
  readonly document: string
  readonly at: number
}

interface Line {
  readonly heads: readonly string[]
  readonly sentences: readonly Sentence[]
}

/** `question`: its language is used to say that there is more. */
export function readOverview(
  passages: readonly OverviewPassage[],
  plan: OverviewPlan,
  { question, asked }: { readonly question: string; readonly asked: QuestionTerms },
): Composed {
  const all = sentencesOf(passages)
  const lines = plan.kind === 'comparison' ? sidesOf(plan, all, passages) : documentsOf(plan, all, passages, asked)
  const { text, statements } = composed(lines)
  return { text: `${text}${plan.kind === 'summary' && text !== '' ? others(passages, lines, question) : ''}`, statements }
}

/** In the order of their documents' texts. A heading or an empty line starts another part. */
function sentencesOf(passages: readonly OverviewPassage[]): Sentence[] {
  const order = [...passages.keys()].sort((a, b) => (passages[a]?.start ?? 0) - (passages[b]?.start ?? 0))
  const parts = new Map<string, { readonly part: number; readonly hasLead: boolean }>()
  const known = new Set<string>()
  return order.flatMap((i) => {
    const passage = passages[i] as OverviewPassage
    let end = 0
    return candidatesOf(passage, i).flatMap((candidate): Sentence[] => {
      const { text, start, isHeading } = candidate
      const { part, hasLead } = parts.get(passage.document) ?? { part: 0, hasLead: passage.start > 0 }
      const isNew = isHeading || EMPTY_LINE.test(passage.text.slice(end, start))
      end = candidate.end
      const own = isNew ? { part: part + 1, hasLead: false } : { part, hasLead }
      parts.set(passage.document, own)
      if (isHeading || text.length > overviewReaderLimits.longest || known.has(text)) return []
      const words = [...new Set(terms(text))]
      if (words.length < overviewReaderLimits.words) return []
      known.add(text)
      parts.set(passage.document, { ...own, hasLead: true })
      const prior = (own.hasLead ? 1 : LEADS) * (/\p{N}/u.test(text) ? FIGURES : 1)
      return [{ words, prior, part: own.part, candidate, document: passage.document, at: passage.start + start }]
    })
  })
}

function documentsOf(plan: OverviewPlan, all: readonly Sentence[], passages: readonly OverviewPassage[], asked: QuestionTerms): Line[] {
  const topic = new Set(terms(plan.about ?? ''))
  const isAsked = ({ words, candidate }: Sentence): boolean => [...words, ...candidate.about].some((word) => topic.has(word))
  const spoken = plan.kind === 'topic' ? all.filter(isAsked) : ordered(plan, all)
  const groups = [...Map.groupBy(spoken, (one) => one.document)]
  const ofAll = saidBy(groups.map(([, own]) => ({ words: [...new Set(own.flatMap(({ words }) => [...words]))] })))
  const weightFor = (own: readonly Sentence[]): WeightOf => {
    if (plan.kind === 'common') return (word) => (ofAll.get(word) ?? 0) - 1
    const weight = weightBy(saidBy(own))
    if (plan.kind !== 'topic') return weight
    return (word) => weight(word) + (topic.has(word) ? ASKED * (asked.get(word)?.weight ?? 0) : 0)
  }
  const shown = overviewReaderLimits.lines >= groups.length ? groups : spread(groups)
  const limit = shown.length > 1 ? Math.max(1, Math.floor(overviewReaderLimits.sentences / shown.length)) : overviewReaderLimits.alone
  return shown.map(([document, own]) => {
    const begun = plan.kind === 'summary' && own[0] ? [0] : []
    const sentences = mostSaid(own, limit, weightFor(own), begun).flatMap((at) => own[at] ?? [])
    return { heads: shown.length > 1 ? titles([document], passages) : [], sentences }
  })
}

/** Documents in the order of the plan. */
function ordered({ sides }: OverviewPlan, all: readonly Sentence[]): readonly Sentence[] {
  const place = new Map(sides.flat().map((id, i) => [id, i]))
  return [...all].sort(
    (a, b) => (place.get(a.document) ?? 0) - (place.get(b.document) ?? 0) || (a.document === b.document ? a.at - b.at : 0),
  )
}

type Group = readonly [document: string, own: Sentence[]]

/** The groups that together say most. */
function spread(groups: readonly Group[]): readonly Group[] {
  const pieces = groups.map(([, own]) => ({ words: [...new Set(own.flatMap(({ words }) => [...words]))], prior: 1 }))
  return mostSaid(pieces, overviewReaderLimits.lines, weightBy(saidBy(pieces)))
    .sort((a, b) => a - b)
    .flatMap((at) => groups.slice(at, at + 1))
}

function sidesOf({ sides }: OverviewPlan, all: readonly Sentence[], passages: readonly OverviewPassage[]): Line[] {
  const own = sides.map((side) => all.filter((one) => side.includes(one.document)))
  const said = own.map(saidBy)
  const limit = Math.max(1, Math.floor(overviewReaderLimits.sentences / Math.max(1, sides.length)))
  return own.flatMap((side, i) => {
    const weight = weightBy(said[i] ?? new Map())
    const isShared = (word: string): boolean => said.some((words, other) => other !== i && words.has(word))
    const sentences = mostSaid(side, limit, (word) => weight(word) * (isShared(word) ? SHARED : 1)).flatMap((at) => side[at] ?? [])
    return sentences.length > 0 ? [{ heads: titles(sides[i] ?? [], passages), sentences }] : []
  })
}

const HEADS = 3 // titles in front of a line

function titles(documents: readonly string[], passages: readonly OverviewPassage[]): string[] {
  const known = documents.map((id) => passages.find((one) => one.document === id)?.title ?? '')
  return known.filter((title) => title !== '').slice(0, HEADS)
}

/** The titles of documents that have no line. */
function others(passages: readonly OverviewPassage[], lines: readonly Line[], question: string): string {
  const told = new Set(lines.flatMap(({ sentences }) => sentences.map((one) => one.document)))
  const left = [...new Set(passages.flatMap(({ document, title = '' }) => (title === '' || told.has(document) ? [] : [title])))]
  return left.length > 0 ? `\n- ${ALSO[languageOf(question, 'en') ?? 'en']}: ${left.join('; ')}` : ''
}

/** A row of a table as words, with an end that keeps it apart from what follows. */
function shown(sentence: string): string {
  const words = rowInWords(sentence)
  return words === sentence || /[.!?。！？]$/u.test(words) ? words : `${words}.`
}

/**
 * Taken in the order of choice as long as there is room, then put in that of the text. Each line has its share of the room, and what earlier lines
 * left of theirs.
 */
function composed(lines: readonly Line[]): Composed {
  let room = 0
  const share = overviewReaderLimits.characters / Math.max(1, lines.length)
  const kept = lines.map(({ heads, sentences }) => {
    room += share
    const own = sentences.filter(({ candidate }, i) => {
      const cost = candidate.text.length + 1
      if (i > 0 && cost > room) return false
      room -= cost
      return true
    })
    return { heads, sentences: own.sort((a, b) => (a.document === b.document ? a.at - b.at : 0)) }
  })
  let text = ''
  const statements: Statement[] = []
  for (const { heads, sentences } of kept) {
    if (sentences.length === 0) continue
    if (text !== '') text += '\n'
    if (heads.length > 0) text += `- ${heads.join(', ')}:`
    for (const { candidate } of sentences) {
      if (text !== '' && !text.endsWith('\n')) text += ' '
      const { passage, start, end } = candidate
      const from = text.length
      text += shown(candidate.text)
      statements.push({ start: from, end: text.length, quote: { passage, start, end } })
    }
  }
  return { text, statements }
}
