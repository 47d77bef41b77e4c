/**
 * Labels in, labels out (GORAG): embeds texts, lets the corpus's object find candidates and their reasons, asks the model to decide
 * among them where there is one, and learns only when asked to. While the embedding model is down, keywords alone decide.
 */
import type { Vector } from '../core/graph/types'
import { fingerprint } from '../core/ids'
import { describing } from '../core/strategies/gorag/label-name'
import { countTokens } from '../core/text/tokens'
import type { Classification, CorpusConfig, CorpusObject, LabelView, Models, Purse, Spent, StagesSpent } from '../ports'
import type { Degraded } from './ask-types'
import { decide } from './decide'
import { describeLabel } from './describe-label'
import { embedTexts } from './embed'
import { usdOf } from './prices'

export interface ClassifyDeps {
  readonly corpus: CorpusObject
  readonly config: Pick<CorpusConfig, 'settings'>
  readonly models: Models
  /** Runs beside the answer, which does not wait for it. Never rejects. */
  later(work: Promise<unknown>): void
}

export interface Classified extends Pick<Classification, 'label' | 'confidence' | 'candidates' | 'tree'> {
  readonly decided: 'model' | 'score'
  readonly degraded: readonly Degraded[]
  readonly usage: Spent
  readonly learned?: { readonly id: string }
}

const NOTHING: Spent = { in: 0, out: 0, embedded: 0 }

/**
 * Puts a label with the vectors of its description and examples; without the embedding model, without vectors. Where it has no
 * description, and the corpus wishes one, the text model writes it first. Null: over budget, and nothing is put.
 */
export async function putLabel(
  deps: ClassifyDeps,
  given: { readonly id: string; readonly description: string; readonly examples: readonly string[] },
): Promise<LabelView | null> {
  const { corpus, config, models } = deps
  const { gorag } = config.settings
  const written = gorag.describe ? await describeLabel(deps, given) : { description: given.description, spent: NOTHING }
  const label = { ...given, description: written.description }
  const about = describing(label, gorag.names)
  const { vectors, spent, degraded } = await embedded(models, [about, ...label.examples], await corpus.purse())
  if (degraded.includes('budget')) {
    await corpus.charge(stagesOf(written.spent, 'describe'))
    return null
  }
  const view = await corpus.putLabel({
    id: label.id,
    description: label.description,
    ...(vectors[0] && about !== '' ? { vector: vectors[0] } : {}),
    examples: label.examples.map((text, i) => ({
      id: fingerprint(text),
      text,
      ...(vectors[i + 1] ? { vector: vectors[i + 1] as Vector } : {}),
    })),
  })
  await corpus.charge(stagesOf({ ...written.spent, embedded: spent.embedded }, 'describe'))
  return view
}

export async function classifyText(
  deps: ClassifyDeps,
  { text, learn }: { readonly text: string; readonly learn: boolean },
): Promise<Classified> {
  const { corpus, models } = deps
  const { vectors, spent, degraded } = await embedded(models, [text], await corpus.purse())
  const [vector] = vectors
  const first = await corpus.classify({ text, ...(vector ? { vector } : {}) })
  const { found, by, spent: read, degraded: missing } = await decide(deps, text, first)
  const { label, confidence } = found
  const decision = { text, confidence, source: by, ...(vector ? { vector } : {}) }
  const learned = learn && label !== null ? await corpus.learn({ ...decision, label }) : null
  const usage = { in: read.in, out: read.out, embedded: spent.embedded }
  deps.later(corpus.charge(stagesOf(usage, 'classify')).catch(() => false))
  return {
    label,
    confidence,
    candidates: found.candidates,
    tree: found.tree,
    decided: by,
    degraded: [...new Set([...degraded, ...missing])],
    usage,
    ...(learned === null ? {} : { learned: { id: learned } }),
  }
}

/** Vectors, or none where the model is down or the budget is used up. */
async function embedded(models: Models, texts: readonly string[], purse: Purse) {
  const none = { vectors: [] as Vector[], spent: NOTHING }
  const most = texts.reduce((sum, text) => sum + countTokens(text), 0)
  const usd = usdOf(models, { ...NOTHING, embedded: most })
  if (most > (purse.tokens ?? Number.POSITIVE_INFINITY) || (purse.usd !== null && (purse.usd === 0 || usd > purse.usd))) {
    return { ...none, degraded: ['budget' as const] as Degraded[] }
  }
  try {
    const { vectors, spent } = await embedTexts(models, texts)
    return { vectors, spent, degraded: [] as Degraded[] }
  } catch {
    return { ...none, degraded: ['embedding' as const] as Degraded[] }
  }
}

function stagesOf({ in: read, out, embedded }: Spent, stage: 'classify' | 'describe'): StagesSpent {
  return {
    ...(embedded > 0 ? { question: { calls: 1, in: 0, out: 0, embedded } } : {}),
    ...(read + out > 0 ? { [stage]: { calls: 1, in: read, out, embedded: 0 } } : {}),
  }
}
