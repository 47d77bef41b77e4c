/**
 * Labels in, labels out (GORAG): embeds texts, lets the corpus's object find candidates and their reasons, asks the model, if there is one, to decide among
 * them, and learns only when asked to. While the embedding model is down, only keywords decide.
 */

import type { Classified } from '../contract/labels'
import type { Degraded } from '../contract/questions'
import type { Spent } from '../contract/usage'
import type { Vector } from '../core/graph/types'
import { fingerprint } from '../core/ids'
import type { LabelView } from '../core/strategies/gorag/gorag'
import { descriptionText } from '../core/strategies/gorag/label-name'
import type { CorpusConfig } from '../ports/corpus'
import type { Models } from '../ports/models'
import type { CorpusObject } from '../ports/object'
import { type Allowance, allowanceOf, type KeyKeeper, settle } from './allowance'
import { embeddingBound } from './call-bounds'
import { decide } from './decide'
import { describeLabel } from './describe-label'
import { embedTexts } from './embed'

export interface ClassifyDeps {
  readonly corpus: CorpusObject
  readonly config: Pick<CorpusConfig, 'settings' | 'budget' | 'prices'>
  readonly models: Models
  /** For a key with a daily limit. */
  readonly key?: KeyKeeper | undefined
  /** Runs in the background; the answer does not wait for it. Never rejects. */
  later(work: Promise<unknown>): void
}

const NOTHING: Spent = { in: 0, out: 0, embedded: 0 }

/**
 * Puts a label with the vectors of its description and examples; without the embedding model, without vectors. If it has no description and the corpus
 * wants one, the text model writes it first. Null: over budget, and nothing is saved.
 */
export async function putLabel(
  deps: ClassifyDeps,
  given: { readonly id: string; readonly description: string; readonly examples: readonly string[] },
): Promise<LabelView | null> {
  const { corpus, config, models } = deps
  const { gorag } = config.settings
  const allowance = allowanceOf(deps)
  try {
    const label = { ...given, description: gorag.describe ? await describeLabel(models, given, allowance) : given.description }
    const about = descriptionText(label, gorag.names)
    const { vectors, degraded } = await embedded(models, [about, ...label.examples], allowance)
    if (degraded.includes('budget')) return null
    return await corpus.putLabel({
      id: label.id,
      description: label.description,
      embedded: models.embedding.id,
      ...(vectors[0] && about !== '' ? { vector: vectors[0] } : {}),
      examples: label.examples.map((text, i) => ({
        id: fingerprint(text),
        text,
        ...(vectors[i + 1] ? { vector: vectors[i + 1] as Vector } : {}),
      })),
    })
  } finally {
    settle(deps, allowance)
  }
}

export async function classifyText(deps: ClassifyDeps, given: { readonly text: string; readonly learn: boolean }): Promise<Classified> {
  const allowance = allowanceOf(deps)
  try {
    return await classified(deps, given, allowance)
  } finally {
    settle(deps, allowance)
  }
}

async function classified(
  deps: ClassifyDeps,
  { text, learn }: { readonly text: string; readonly learn: boolean },
  allowance: Allowance,
): Promise<Classified> {
  const { corpus, models } = deps
  const { vectors, spent, degraded } = await embedded(models, [text], allowance)
  const [vector] = vectors
  const first = await corpus.classify({ text, ...(vector ? { vector, embedded: models.embedding.id } : {}) })
  const { found, by, spent: read, degraded: missing } = await decide(deps, text, first, allowance)
  const { label, confidence } = found
  const learned = learn && label !== null ? await corpus.learn({ text, label, confidence, source: by }) : null
  return {
    label,
    confidence,
    candidates: found.candidates,
    tree: found.tree,
    decided: by,
    degraded: [...new Set([...degraded, ...missing])],
    usage: { in: read.in, out: read.out, embedded: spent.embedded },
    ...(learned === null ? {} : { learned: { id: learned } }),
  }
}

/** Vectors, or none if the model is down or the budget does not cover them. */
async function embedded(models: Models, texts: readonly string[], allowance: Allowance) {
  const none = { vectors: [] as Vector[], spent: NOTHING }
  const call = await allowance.begin('question', embeddingBound(...texts))
  if (!call) return { ...none, degraded: ['budget' as const] as Degraded[] }
  try {
    const { vectors, spent, calls } = await embedTexts(models, texts, { mayRepeat: call.mayRepeat })
    call.paid(spent, calls)
    return { vectors, spent, degraded: [] as Degraded[] }
  } catch (error) {
    call.failed(error)
    return { ...none, degraded: ['embedding' as const] as Degraded[] }
  }
}
