/**
 * What a text model makes of a question before the search, if the question asks for it (`options.expand`): its parts, each self-contained, or a passage
 * that might answer it (HyDE: Gao et al. 2022, arXiv 2212.10496). One call. A reply is only ever used as a text to search with: whatever it says is bounded
 * here and never read as an instruction.
 */
import { z } from 'zod'
import type { Degraded } from '../../contract/questions'
import type { Spent } from '../../contract/usage'
import type { Models } from '../../ports/models'
import type { Allowance } from '../allowance'
import type { AskDeps, SearchRequest } from '../ask-types'
import { embeddingBound, writingBound } from '../call-bounds'
import { fenceTexts } from '../fence'
import type { Meter } from '../meter'
import { parseJson } from '../reply-json'
import { clipToTokens } from '../windows'

export const STAGE = 'expand' // of a question's costs
export const expansionLimits = {
  parts: 4,
  part: 400, // characters in a part: a longer one is not a question
  listed: 20, // parts a reply may list; the first are taken
  passage: 256, // tokens of the passage
  question: 1000, // tokens of the question that are shown
  reply: 400, // tokens
} as const

const QUESTIONS = z.object({ questions: z.array(z.string()).max(expansionLimits.listed) })
const PASSAGE = z.object({ passage: z.string().min(1) })

const FORMS = {
  decompose: {
    schema: z.toJSONSchema(QUESTIONS),
    task:
      'The material is a question to a collection of documents. Where answering it takes several facts that are looked up apart (a comparison, several things asked at ' +
      `once, one thing known only by way of another), split it into at most ${expansionLimits.parts} questions that together ask the same. Each must be understood alone: write ` +
      'names in place of pronouns. Keep its language and add nothing. Where it asks for one fact, the list is empty. Reply with JSON: {"questions": ["…", "…"]}.',
    read: readParts,
  },
  hyde: {
    schema: z.toJSONSchema(PASSAGE),
    task:
      'The material is a question to a collection of documents. Write the passage of two to four sentences in which such a document would answer it, in the language of the ' +
      'question. It is only used to find passages that are like it, so invent what you do not know. Reply with JSON: {"passage": "…"}.',
    read: readPassage,
  },
} as const

export type ExpansionKind = keyof typeof FORMS

/** Never rejects: `lacks` says what went wrong, and the question is then searched for unchanged. */
export interface Expansion {
  /** The parts, or the passage; none if the question has only one part, or `lacks` says why. */
  readonly texts: readonly string[]
  readonly lacks?: Extract<Degraded, 'budget' | 'expansion'>
  readonly spent: Spent
  readonly calls: number
}

const NOTHING: Expansion = { texts: [], spent: { in: 0, out: 0, embedded: 0 }, calls: 0 }

export function expansionKind({ options = {} }: Pick<SearchRequest, 'options'>): ExpansionKind | undefined {
  return options.expand === 'decompose' || options.expand === 'hyde' ? options.expand : undefined
}

/** There is no text model: such a question is refused. */
export function lacksExpander(models: Pick<Models, 'text'>, request: Pick<SearchRequest, 'options'>): boolean {
  return models.text === null && expansionKind(request) !== undefined
}

interface Posed {
  readonly kind: ExpansionKind
  readonly question: string
}

export async function expandQuestion(
  { models }: Pick<AskDeps, 'models'>,
  { kind, question }: Posed,
  allowance: Allowance,
): Promise<Expansion> {
  const { schema, task, read } = FORMS[kind]
  const { law, block } = fenceTexts([clipToTokens(question, expansionLimits.question)])
  const messages = [
    { role: 'system', content: `${task}\n${law}` },
    { role: 'user', content: block },
  ] as const
  const tokens = expansionLimits.reply
  const ahead = () => ({ question: embeddingBound(question)() })
  const call = await allowance.begin(STAGE, writingBound(models, messages, tokens, schema), ahead)
  if (!call) return { ...NOTHING, lacks: 'budget' }
  const written = await models.write(messages, { tokens, schema, role: 'answer', mayRepeat: call.mayRepeat }).catch((error: unknown) => {
    call.failed(error)
    return undefined
  })
  if (!written) return { ...NOTHING, lacks: 'expansion' }
  call.paid(written.spent)
  const paid = { spent: written.spent, calls: 1 }
  try {
    // Half a question asks something else, and half a list may be half of what was asked.
    return written.truncated ? { ...paid, texts: [], lacks: 'expansion' } : { ...paid, texts: read(parseJson(written.text), question) }
  } catch {
    return { ...paid, texts: [], lacks: 'expansion' }
  }
}

/**
 * The same for one of several strategies that share it: counted with each as if it were alone, since each states what it would have cost.
 */
export async function expansionFor(
  deps: AskDeps,
  { shared, ...posed }: Posed & { readonly shared: Promise<Expansion> | undefined },
  meter: Meter,
): Promise<Expansion> {
  const expansion = await meter.time(STAGE, shared ?? expandQuestion(deps, posed, meter.allowance))
  if (expansion.calls > 0) meter.pay(expansion.spent, expansion.calls, STAGE)
  if (expansion.lacks) meter.degraded.add(expansion.lacks)
  return expansion
}

/** Parts that differ from the question and from each other. Throws if the reply has another form, or contains nothing usable. */
function readParts(reply: unknown, question: string): readonly string[] {
  const listed = QUESTIONS.parse(reply).questions.map(oneLine)
  const usable = listed.filter((one) => one !== '' && one.length <= expansionLimits.part)
  if (listed.length > 0 && usable.length === 0) throw new Error('expansion: no part is a question')
  const known = new Set([keyOf(question)])
  const parts = usable.filter((one) => !known.has(keyOf(one)) && known.add(keyOf(one)))
  return parts.slice(0, expansionLimits.parts)
}

function readPassage(reply: unknown): readonly string[] {
  const passage = clipToTokens(oneLine(PASSAGE.parse(reply).passage), expansionLimits.passage)
  if (passage === '') throw new Error('expansion: an empty passage')
  return [passage]
}

const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
const keyOf = (text: string): string =>
  oneLine(text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s?.!]+$/u, '')
