/**
 * Labels in, labels out (GORAG): embeds texts, lets the corpus's object find candidates and their reasons, asks the model to decide
 * among them where there is one, and learns only when asked to. While the embedding model is down, keywords alone decide.
 */
import { z } from 'zod'
import type { Vector } from '../core/graph/types'
import { fingerprint } from '../core/ids'
import { describing } from '../core/strategies/gorag/label-name'
import { countTokens } from '../core/text/tokens'
import type { Classification, CorpusConfig, CorpusObject, LabelView, Models, Purse, Spent, StagesSpent } from '../ports'
import type { Degraded } from './ask-types'
import { embedTexts } from './embed'
import { fenced } from './fence'
import { Meter } from './meter'
import { usdOf } from './prices'
import { writingOf } from './purse'

export interface ClassifyDeps {
  readonly corpus: CorpusObject
  readonly config: Pick<CorpusConfig, 'settings'>
  readonly models: Models
}

export interface Classified extends Pick<Classification, 'label' | 'confidence' | 'candidates' | 'tree'> {
  readonly decided: 'model' | 'score'
  readonly degraded: readonly Degraded[]
  readonly usage: Spent
  readonly learned?: { readonly id: string }
}

const NOTHING: Spent = { in: 0, out: 0, embedded: 0 }
const ANSWER = 64 // tokens of a decision
const SCHEMA = { type: 'object', properties: { label: { type: 'string' } }, required: ['label'] }
const decision = z.object({ label: z.string() })

/** Puts a label with the vectors of its description and examples; without the embedding model, without vectors. */
export async function putLabel(
  { corpus, config, models }: ClassifyDeps,
  label: { readonly id: string; readonly description: string; readonly examples: readonly string[] },
): Promise<LabelView> {
  const about = describing(label, config.settings.gorag.names)
  const { vectors, spent } = await embedded(models, [about, ...label.examples], await corpus.purse())
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
  await corpus.charge(stagesOf(spent))
  return view
}

export async function classifyText(
  deps: ClassifyDeps,
  { text, learn }: { readonly text: string; readonly learn: boolean },
): Promise<Classified> {
  const { corpus, models } = deps
  const { vectors, spent, degraded } = await embedded(models, [text], await corpus.purse())
  const [vector] = vectors
  const found = await corpus.classify({ text, ...(vector ? { vector } : {}) })
  const chosen = await decide(deps, text, found)
  const label = chosen.label ?? found.label
  const confidence = label === found.label ? found.confidence : (found.candidates.find((one) => one.label === label)?.score ?? 0)
  const source = chosen.label === undefined ? 'score' : 'model'
  const learned = learn && label !== null ? await corpus.learn({ text, label, confidence, source, ...(vector ? { vector } : {}) }) : null
  const usage = { in: chosen.spent.in, out: chosen.spent.out, embedded: spent.embedded }
  await corpus.charge(stagesOf(usage))
  return {
    label,
    confidence,
    candidates: found.candidates,
    tree: found.tree,
    decided: source,
    degraded: [...new Set([...degraded, ...chosen.degraded])],
    usage,
    ...(learned === null ? {} : { learned: { id: learned } }),
  }
}

interface Decided {
  /** Undefined: no model decided. */
  readonly label?: string
  readonly spent: Spent
  readonly degraded: readonly Degraded[]
}

/** The model's choice among the candidates; a label that is none of them is no choice. */
async function decide({ config, models, corpus }: ClassifyDeps, text: string, found: Classification): Promise<Decided> {
  if (!models.text || found.candidates.length === 0) return { spent: NOTHING, degraded: [] }
  const shown = config.settings.gorag.prompt === 'keywords' ? found.keywords.join(', ') : text
  const described = found.candidates.map((one) => `${one.label}: ${one.description || one.keywords.join(', ')}`)
  const about = fenced(described)
  const asked = fenced([shown])
  const messages = [
    {
      role: 'system' as const,
      content: `You choose the one label that fits a text. ${about.law} ${asked.law} Reply with JSON: {"label": "<one of the labels, exactly as written>"}.`,
    },
    {
      role: 'user' as const,
      content: `Labels and what they are about:\n${about.block}\n\nText:\n${asked.block}\n\nWhich label fits the text?`,
    },
  ]
  const meter = new Meter(Date.now)
  meter.hold(await corpus.purse())
  if (!meter.affords('classify', writingOf(messages, ANSWER), (stage, spent) => usdOf(models, spent, stage))) {
    return { spent: NOTHING, degraded: ['budget'] }
  }
  try {
    const reply = await models.write(messages, { tokens: ANSWER, schema: SCHEMA })
    const label = labelIn(reply.text, found)
    return label === undefined ? { spent: reply.spent, degraded: ['text_model'] } : { label, spent: reply.spent, degraded: [] }
  } catch {
    return { spent: NOTHING, degraded: ['text_model'] }
  }
}

function labelIn(reply: string, found: Classification): string | undefined {
  const labels = found.candidates.map((one) => one.label)
  try {
    const said = decision.safeParse(JSON.parse(reply))
    if (said.success && labels.includes(said.data.label)) return said.data.label
  } catch {
    // not JSON: perhaps the bare label
  }
  const bare = reply.trim().replace(/^["'`]+|["'`.]+$/g, '')
  return labels.find((label) => label === bare)
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

function stagesOf({ in: read, out, embedded }: Spent): StagesSpent {
  return {
    ...(embedded > 0 ? { embed: { calls: 1, in: 0, out: 0, embedded } } : {}),
    ...(read + out > 0 ? { classify: { calls: 1, in: read, out, embedded: 0 } } : {}),
  }
}
