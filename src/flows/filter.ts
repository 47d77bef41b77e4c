/**
 * ArchRAG's adaptive filter, used if an answer is to be written and a model can read (arXiv 2502.09891, §3.2.2): each layer found is read
 * separately, all at once; the points drawn from them are put in one order, and the best that fit replace the texts in the answer's prompt.
 * The evidence is then what those points were drawn from. A layer for which the model gave nothing usable keeps its texts, ordered by
 * relevance as without a model; if no point is left at all, the answer is written from the evidence as always.
 */

import type { Spent } from '../contract/usage'
import type { Evidence } from '../core/evidence'
import { declarationOf } from '../core/strategies/registry'
import { countTokens } from '../core/text/tokens'
import type { Message } from '../ports/models'
import type { Call, CostBound } from './allowance'
import { fitting, numbered } from './answer-prompt'
import type { AskDeps, EvidenceLimit, QueryRequest, Refusal } from './ask-types'
import { writingBound } from './call-bounds'
import { faultOf, isUnusable } from './faults'
import { chooseEvidence, mergePoints, type Read } from './filter-merge'
import { find, questionDefaults } from './find'
import type { Found, QuestionStart } from './found'
import { parsePoints, pointLimits, pointPrompt, pointSchema } from './points'
import { writerFor } from './writers'

const STAGE = 'filter' // of a question's costs
const READ = 2 // times the answer's budget is read, in all layers together
const MAX = 100 // pieces of evidence one walk may return
const TRIES = 2 // a caller is waiting
const HINT = 'it was empty or not in the form asked for'

/** Does a model read its layers before an answer is written? */
export function isFiltered(strategy: string | undefined): boolean {
  return strategy !== undefined && declarationOf(strategy)?.filterEvidence !== undefined
}

/** Like `find`; filtered by a model if strategy, options, models and budget say so. */
export async function findFiltered(deps: AskDeps, request: QueryRequest, begun: QuestionStart): Promise<Found | Refusal> {
  const { filter = 'adaptive' } = request.options ?? {}
  if (!isFiltered(request.strategy) || filter !== 'adaptive' || !deps.models.text)
    return find(deps, request, { ...begun, writes: true, isCompared: true })
  const room: EvidenceLimit = { topK: request.topK ?? questionDefaults.topK, budget: request.tokenBudget ?? questionDefaults.budget }
  const wide = { ...request, topK: MAX, tokenBudget: READ * room.budget, options: { ...request.options, filter: 'layers' } }
  const found = await find(deps, wide, begun)
  if (found.kind === 'refused') return found
  if (!isFiltered(found.strategy) || found.evidence.length === 0) return { ...found, evidence: chooseEvidence(found, room) }
  const layers = [...new Set(found.evidence.map(layerOf))].sort((a, b) => a - b).map((layer) => layerShown(deps, layer, found))
  // All layers are read at once, so they are covered together, or none is read.
  const whole = await found.meter.begin(STAGE, () => layers.map((one) => one.max()).reduce(both))
  if (!whole) return { ...found, evidence: chooseEvidence(found, room) }
  whole.unmade() // each layer's call is covered by the joint reservation
  const read = await found.meter.time('filter', Promise.all(layers.map((layer) => readLayer(deps, layer, found))))
  return mergePoints(found, read, room, request.trace === true)
}

const both = (a: Spent, b: Spent): Spent => ({ in: a.in + b.in, out: a.out + b.out, embedded: a.embedded + b.embedded })

/** The part of a layer that one prompt can show. */
interface Shown {
  readonly layer: number
  /** Places in the evidence. */
  readonly places: readonly number[]
  readonly tokens: number
  readonly prompt: (hint: string) => readonly Message[]
  readonly max: CostBound
}

/** A passage belongs to the entities' layer, even if it supports a report. */
function layerOf({ kind, layer }: Evidence): number {
  return kind === 'community' ? layer : 0
}

function layerShown({ models }: AskDeps, layer: number, { question, evidence }: Found): Shown {
  const window = writerFor(models, 'answer')?.window ?? 0
  const tokens = Math.min(pointLimits.tokens, Math.floor(window / 4))
  const room = window - tokens - pointLimits.overhead - 2 * Math.min(countTokens(question), Math.floor(window / 8))
  const own = new Map(evidence.flatMap((one, place) => (layerOf(one) === layer ? [[numbered(one, place), place] as const] : [])))
  const texts = fitting([...own.keys()], room)
  const prompt = (hint: string) => pointPrompt(question, layer, texts, window, hint)
  return {
    layer,
    places: texts.flatMap((text) => own.get(text) ?? []),
    tokens,
    prompt,
    max: writingBound(models, prompt(HINT), tokens, pointSchema),
  }
}

/** Never rejects: failures are flagged, and the layer's own texts are used. */
async function readLayer(deps: AskDeps, { layer, places, tokens, prompt, max }: Shown, { evidence, meter }: Found): Promise<Read> {
  let unusable = 0
  for (let hint = ''; places.length > 0 && unusable < TRIES; hint = HINT) {
    try {
      const write = ({ mayRepeat }: Call) => deps.models.write(prompt(hint), { tokens, schema: pointSchema, role: 'answer', mayRepeat })
      const reply = await meter.call(STAGE, max, write, { step: null })
      if (!reply) break
      if (reply.truncated) meter.degraded.add('truncated')
      return { layer, shown: places, unusable, ...parsePoints(reply.text, evidence, places) }
    } catch (error) {
      if (!isUnusable(faultOf(error).fault)) {
        meter.degraded.add('text_model')
        break
      }
      unusable++
    }
  }
  return { layer, shown: places, dropped: 0, unusable }
}
