/** Pins questions to a corpus: each is embedded once, so that the schedule and the gate can ask it without a model. */

import type { Asker } from '../core/access/labels'
import type { Vector } from '../core/graph/types'
import type { Models } from '../ports/models'
import type { CorpusObject } from '../ports/object'
import type { JustPinned } from '../ports/probes'
import { allowanceOf, type Call, type Keeping, settle } from './allowance'
import { embeddingBound } from './call-bounds'
import { embedTexts } from './embed'

interface Pinned {
  readonly probes: readonly { readonly query: string; readonly expect: readonly string[] }[]
  readonly k: number
  readonly tolerance: number
  /** Who pins. */
  readonly asker?: Asker
}

interface Deps extends Keeping {
  readonly corpus: CorpusObject
  readonly models: Models
  /** Runs in the background; the answer does not wait for it. Never rejects. */
  later(work: Promise<unknown>): void
}

/**
 * Rejects with the model's fault while it is unavailable: probes without vectors would test only half of what a corpus does. `changed`: the
 * pinned probes are no longer those of revision `ifMatch`; `over_budget`: the budget does not cover their vectors. The revision is checked
 * before anything is paid for, and decided by the object, which pins.
 */
export async function pinProbes(deps: Deps, pinned: Pinned, ifMatch?: string): Promise<JustPinned | 'changed' | 'over_budget'> {
  const { corpus, models } = deps
  if (ifMatch !== undefined && (await corpus.probes()).revision !== ifMatch) return 'changed'
  const { probes, ...bounds } = pinned
  const allowance = allowanceOf(deps)
  try {
    const questions = probes.map((probe) => probe.query)
    const call = await allowance.begin('embed', embeddingBound(...questions))
    if (!call) return 'over_budget'
    const vectors = await made(call, models, questions)
    return await corpus.putProbes(
      probes.map((probe, i) => ({ ...probe, ...(vectors[i] ? { vector: vectors[i], embedded: models.embedding.id } : {}) })),
      bounds,
      ifMatch,
    )
  } finally {
    settle(deps, allowance)
  }
}

async function made(call: Call, models: Models, questions: readonly string[]): Promise<readonly Vector[]> {
  try {
    const { vectors, spent, calls } = await embedTexts(models, questions, { mayRepeat: call.mayRepeat })
    call.paid(spent, calls)
    return vectors
  } catch (error) {
    call.failed(error)
    throw error
  }
}
