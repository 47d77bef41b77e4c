/**
 * Evidence from several corpora: the question is rewritten once and embedded once for each embedding model, the corpora are asked in
 * parallel, each with its own strategy weights, labels and budget, and their results become one list (merge.ts). A corpus that cannot be
 * asked is left out and named.
 */
import { atOnce } from '../../core/at-once'
import { strategies } from '../../core/strategies/registry'
import { workerLimits } from '../../platform-limits'
import { type Allowance, allowanceOf, settle } from '../allowance'
import type { AskDeps, QueryRequest, Refusal } from '../ask-types'
import { embeddingBound, NOT_EMBEDDED } from '../call-bounds'
import { type EmbeddedQuestion, embedQuestion } from '../entry-points'
import { type Expansion, expansionFor, expansionKind, lacksExpander } from '../expand/ask-model'
import { find, questionDefaults } from '../find'
import { rewriteFollowUp } from '../follow-up'
import type { Found, QuestionStart } from '../found'
import { Meter } from '../meter'
import { packEvidence } from '../rank'
import { within } from '../spans'
import { sumFacets } from './facets'
import { mergeEvidence, passagesOf, termsOfAll } from './merge'
import { joined, type Origins, removedJoined } from './named'

export interface Member {
  readonly name: string
  readonly deps: AskDeps
  readonly minVersion?: number | undefined
}

export interface SeveralFound extends Origins {
  readonly kind: 'found'
  readonly found: Found
  /** Those that took part. */
  readonly payers: ReadonlySet<AskDeps>
}

/** `codeOf`: the code reported for a corpus that could not be reached. */
export interface Asking {
  readonly members: readonly [Member, ...Member[]]
  readonly request: Omit<QueryRequest, 'minVersion'>
  readonly allowance: Allowance
  readonly isCompared?: boolean
  codeOf(error: unknown): string
}

type Tried = { readonly member: Member } & ({ readonly outcome: Found | Refusal } | { readonly error: unknown })

export async function findSeveral({ members, request, allowance, isCompared = false, codeOf }: Asking): Promise<SeveralFound | Refusal> {
  const [{ deps: first }] = members
  if (lacksExpander(first.models, request)) return { kind: 'refused', code: 'expansion_unavailable' }
  const meter = new Meter(first.now, allowance)
  const text = (request.history ?? []).length > 0 ? await rewriteFollowUp(first, request, meter) : request.query
  const expansion = await expandedFor(first, request, { text, meter })
  const questions = embeddedFor(members, request, { text, meter, expansion })
  const { history: _, ...rest } = request
  const slot = atOnce(workerLimits.safeConnections)
  const begunFor = ({ deps }: Member): Begun => {
    const question = questions.get(deps.models.embedding.id)
    return { isCompared, ...(question ? { question } : {}), ...(expansion ? { expansion: Promise.resolve(expansion) } : {}) }
  }
  const tried = await meter.time(
    'corpora',
    Promise.all(members.map((member) => slot(() => ask(member, { ...rest, query: text }, begunFor(member))))),
  )
  const found = tried.flatMap((one) =>
    'outcome' in one && one.outcome.kind === 'found' ? [{ member: one.member, found: one.outcome }] : [],
  )
  if (found.length === 0) return noneOf(tried)
  const skipped = tried.flatMap((one) => skippedFor(one, codeOf))
  for (const one of found) meter.absorb(one.found.meter, 'corpora')
  const parts = found.map(({ member, found }) => ({ ...found, corpus: member.name }))
  const room = { topK: request.topK ?? questionDefaults.topK, budget: request.tokenBudget ?? questionDefaults.budget }
  const merged = mergeEvidence(parts).map((one) => ({ ...joined(one), from: one.corpus }))
  const packed = packEvidence(merged, room) as typeof merged
  const facets = parts.flatMap((one) => (one.facets ? [one.facets] : []))
  const removed = parts.flatMap((one) => removedJoined(one))
  const traces = parts.flatMap((one) => (one.trace === undefined ? [] : [[one.corpus, one.trace] as const]))
  return {
    kind: 'found',
    found: {
      kind: 'found',
      strategy: request.strategy ?? questionDefaults.strategy,
      question: text,
      evidence: packed.map(({ from: _, ...one }) => one),
      ...(removed.length > 0 ? { removed } : {}),
      ...(expansion ? { expanded: expansion.texts } : {}),
      ...(facets.length > 0 ? { facets: sumFacets(facets) } : {}),
      ...(traces.length > 0 ? { trace: Object.fromEntries(traces) } : {}),
      version: 0, // each has its own
      frequencies: [],
      terms: termsOfAll(parts),
      passages: passagesOf(parts),
      at: request.period?.asOf?.start ?? first.now(),
      meter,
    },
    corpora: packed.map(({ from }) => from),
    versions: Object.fromEntries(parts.map(({ corpus, version }) => [corpus, version])),
    skipped,
    payers: new Set(found.map(({ member }) => member.deps)),
  }
}

type Posed = Promise<EmbeddedQuestion>
type Begun = Pick<QuestionStart, 'question' | 'expansion' | 'isCompared'>
interface Reading {
  readonly text: string
  readonly meter: Meter
}

/** By the first corpus's model, for all. It is paid for here: each corpus counts it as free. */
async function expandedFor(first: AskDeps, request: Asking['request'], { text, meter }: Reading): Promise<Expansion | undefined> {
  const kind = expansionKind(request)
  if (!kind) return undefined
  const expansion = await expansionFor(first, { kind, question: text, shared: undefined }, meter)
  return { ...expansion, spent: NOT_EMBEDDED.spent, calls: 0 }
}

/** By embedding model. It is paid for here: each corpus counts it as free. */
function embeddedFor(
  members: readonly Member[],
  request: Pick<QueryRequest, 'strategy' | 'options'>,
  { text, meter, expansion }: Reading & { readonly expansion: Expansion | undefined },
): ReadonlyMap<string, Posed> {
  const strategy = strategies.get(request.strategy ?? questionDefaults.strategy)
  if (!strategy || strategy.name === 'keyword') return new Map()
  const like = expansionKind(request) === 'hyde' ? (expansion?.texts ?? []) : []
  const models = new Map(members.map(({ deps }) => [deps.models.embedding.id, deps]))
  const embed = async (deps: AskDeps): Posed => {
    const call = await meter.begin('question', embeddingBound(text, ...like))
    if (!call) return NOT_EMBEDDED
    const { vector } = await meter.time('embed', embedQuestion(deps, text, call, like[0]))
    return { ...(vector ? { vector } : {}), spent: { in: 0, out: 0, embedded: 0 }, calls: 0 }
  }
  return new Map([...models].map(([id, deps]) => [id, embed(deps)]))
}

/** Never rejects. Its cost is the corpus's own. */
async function ask(member: Member, request: QueryRequest, begun: Begun): Promise<Tried> {
  const { deps, minVersion } = member
  const allowance = allowanceOf(deps)
  try {
    const own = minVersion === undefined ? request : { ...request, minVersion }
    const start = { allowance, ...begun }
    return { member, outcome: await within(deps, 'retrieval', (inner) => find(inner, own, start)) }
  } catch (error) {
    return { member, error }
  } finally {
    settle(deps, allowance)
  }
}

const CODES: { readonly [code in Refusal['code']]: string } = {
  behind: 'version_not_reached',
  gone: 'corpus_not_found',
  filter_unknown: 'filter_not_found',
  expansion_unavailable: 'invalid',
  strategy_not_enabled: 'strategy_not_enabled',
}

function skippedFor(one: Tried, codeOf: Asking['codeOf']): Origins['skipped'] {
  const { name: corpus } = one.member
  if ('error' in one) return [{ corpus, code: codeOf(one.error) }]
  return one.outcome.kind === 'refused' ? [{ corpus, code: CODES[one.outcome.code] }] : []
}

/** No corpus could be asked: the first one's problem. */
function noneOf(tried: readonly Tried[]): Refusal {
  for (const one of tried) {
    if ('error' in one) throw one.error
    if (one.outcome.kind === 'refused') return one.outcome
  }
  throw new Error('several: no corpus was asked')
}
