/**
 * A question and its parts, each searched with the same options, as one list of evidence. It starts with the evidence for the question
 * itself: a part that cannot be searched is left out and flagged, and without parts that evidence is the result.
 */
import { atOnce } from '../../core/at-once'
import { workerLimits } from '../../platform-limits'
import type { Call } from '../allowance'
import type { AskDeps, EvidenceLimit, QueryRequest, Refusal } from '../ask-types'
import { embeddingBound, NOT_EMBEDDED } from '../call-bounds'
import { embedTexts } from '../embed'
import type { EmbeddedQuestion } from '../entry-points'
import { extendTrace } from '../extend-trace'
import type { Found, QuestionStart } from '../found'
import { packEvidence } from '../rank'
import { expansionFor, STAGE } from './ask-model'
import { fuseEvidence } from './fuse'

type Find = (deps: AskDeps, request: QueryRequest, start: QuestionStart) => Promise<Found | Refusal>

interface Begun {
  readonly start: QuestionStart
  readonly room: EvidenceLimit
  readonly embeds: boolean
  readonly find: Find
}

export async function withParts(deps: AskDeps, request: QueryRequest, found: Found, { start, room, embeds, find }: Begun): Promise<Found> {
  const { meter, question } = found
  // What was chosen for a question about a whole belongs together.
  if (found.overview || meter.degraded.has('budget')) return { ...found, expanded: [] }
  const { texts } = await expansionFor(
    deps,
    { kind: 'decompose', question, shared: question === request.query ? start.expansion : undefined },
    meter,
  )
  if (texts.length === 0) return { ...found, expanded: [] }
  const vectors = embeds ? await embedParts(deps, texts, found) : []
  if (!vectors) return { ...found, expanded: [] }
  const { history: _, facets: __, trace = false, options = {}, ...rest } = request
  const { expand: ___, ...own } = options
  const slot = atOnce(workerLimits.safeConnections)
  const lookUp = async (query: string, i: number): Promise<Found | undefined> => {
    const pose = vectors[i]
    const begun = {
      allowance: start.allowance,
      isCompared: start.isCompared === true,
      ...(pose ? { question: Promise.resolve(pose) } : {}),
    }
    const part = await slot(() => find(deps, { ...rest, query, options: own }, begun)).catch(() => undefined)
    if (part?.kind === 'found') return part
    meter.degraded.add('expansion')
    return undefined
  }
  const parts = await meter.time('parts', Promise.all(texts.map(lookUp)))
  for (const part of parts) if (part) meter.absorb(part.meter, STAGE)
  const removed = [found, ...parts].flatMap((one) => one?.removed ?? [])
  const lists = [found, ...parts].flatMap((one) => (one ? [one.evidence] : []))
  const most = typeof options.max_per_document === 'number' ? options.max_per_document : undefined
  const traced = texts.map((text, i) => ({ question: text, evidence: parts[i]?.evidence.map((one) => one.id) ?? null }))
  return {
    ...found,
    evidence: packEvidence(fuseEvidence(lists, most), room),
    expanded: texts,
    ...(removed.length > 0 ? { removed } : {}),
    ...(trace
      ? { trace: extendTrace(found.trace, { expansion: { by: 'decompose', own: found.evidence.map((one) => one.id), parts: traced } }) }
      : {}),
  }
}

/** All in one call, which is counted for the question; each part counts as free. Undefined: over budget. */
async function embedParts(deps: AskDeps, texts: readonly string[], { meter }: Found): Promise<readonly EmbeddedQuestion[] | undefined> {
  const none = { spent: NOT_EMBEDDED.spent, calls: 0 }
  try {
    const make = ({ mayRepeat }: Call) => embedTexts(deps.models, texts, { mayRepeat })
    const embedded = await meter.call('question', embeddingBound(...texts), make, { step: 'embed' })
    return embedded?.vectors.map((vector) => ({ vector, ...none }))
  } catch {
    meter.degraded.add('embedding')
    return texts.map(() => none)
  }
}
