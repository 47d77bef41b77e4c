/**
 * The answer cache: a question that was answered at this version of the corpus, with these options, for these rights and by these models,
 * gets the same answer again. Off unless the corpus has `answers.seconds`; then a question costs one more call to the object, a search
 * none.
 */
import type { AskEvent, QueryResult } from '../contract/questions'
import { ordered } from '../core/access/labels'
import { canonicalJson } from '../core/canonical-json'
import type { Json } from '../core/graph/types'
import { fingerprint } from '../core/ids'
import { PROMPTS } from '../core/prompt-version'
import type { KeptAnswer } from '../ports/kept-answers'
import { writerRoles } from '../ports/models'
import type { AskDeps, QueryRequest } from './ask-types'
import { NEURON_USD, usdOf } from './prices'
import { writerFor } from './writers'

/** Must change when anything but the models changes how answers are made: the prompt, the reader, the check of support. */
const FORM = '6'

/** Undefined: this question neither uses kept answers nor has its own kept. */
function keyOf({ config, models, judge, asker }: AskDeps, request: QueryRequest): string | undefined {
  const { query, minVersion: _, cache, trace, ...options } = request
  if (cache === false || trace || request.tools || !config.settings.answers?.seconds) return undefined
  const writers = writerRoles.map((role) => writerFor(models, role)?.id ?? null)
  const by = [models.embedding.id, models.reranker?.id ?? null, ...writers, judge?.text?.id ?? null, PROMPTS, FORM]
  const rights = asker === 'all' ? 'all' : ordered(asker ?? [])
  const said = query.normalize('NFKC').trim().replaceAll(/\s+/g, ' ')
  // Through JSON, so that undefined members are absent.
  return fingerprint(canonicalJson(JSON.parse(JSON.stringify([said, options, by, rights])) as Json))
}

/** The result of looking a question up among the kept answers. */
export interface Recalled {
  /** An earlier answer, unchanged, with its age and what it saved. */
  readonly found?: QueryResult
  /** Keeps the answer that was made. */
  keep(made: QueryResult): void
}

const NOT_ASKED: Recalled = { keep: () => undefined }

/** A failure of the store does not make the question fail. */
export async function recall(deps: AskDeps, request: QueryRequest): Promise<Recalled> {
  const key = keyOf(deps, request)
  if (key === undefined) return NOT_ASKED
  const from = deps.now()
  const seconds = deps.config.settings.answers?.seconds ?? 0
  const { minVersion } = request
  const kept = await deps.corpus.keptAnswer({ key, seconds, ...(minVersion === undefined ? {} : { minVersion }) }).catch(() => null)
  if (!kept) return NOT_ASKED
  if ('result' in kept) return { ...NOT_ASKED, found: fromBefore(kept, deps.now() - from) }
  return {
    // In the background; the answer does not wait for it. A degraded answer is not kept: the next one may be complete.
    keep(result) {
      if (result.degraded.length > 0) return
      const saved = { ...result.usage, usd: usdOf(deps.models, result.usage, 'answer') }
      deps.later(deps.corpus.keptAnswer({ key, seconds, ...kept, version: result.version, result, saved }).catch(() => undefined))
    },
  }
}

function fromBefore({ result, saved: { usd, ...saved }, age }: KeptAnswer, ms: number): QueryResult {
  return {
    ...result,
    usage: { in: 0, out: 0, embedded: 0, calls: 0 },
    timing_ms: { total: ms },
    cached: true,
    cache: { age_seconds: Math.round(age / 1000), saved: { ...saved, usd, neurons: Math.round((usd / NEURON_USD) * 1000) / 1000 } },
  }
}

/** As if it were written now. */
export function* replayed(result: QueryResult): Generator<AskEvent, void, void> {
  const { evidence, trace: _, ...done } = result
  const { strategy, expanded, facets, version, degraded, usage, timing_ms } = result
  yield {
    event: 'retrieval',
    data: { strategy, evidence, ...(expanded ? { expanded } : {}), ...(facets ? { facets } : {}), version, degraded, usage, timing_ms },
  }
  yield { event: 'delta', data: { text: done.answer } }
  for (const citation of done.citations) yield { event: 'citation', data: citation }
  yield { event: 'usage', data: { ...usage, timing_ms } }
  yield { event: 'done', data: done }
}
