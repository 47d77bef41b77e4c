/**
 * What a task can cost at most, in tokens: its material, a prompt around it, the longest reply it may have, and that reply's vectors, whatever
 * the vocabularies. Replies asked for again, gleanings and a reply that is longer in bytes than any in a language are covered one by one. And what tokens cost. Pure.
 */
import type { GivenGuidance, WorkedExample } from './guidance'
import type { Ontology } from './ontology'
import type { Brief, RerankPool, WrittenBrief } from './strategy'
import { tokenBound, tokenBounds } from './text/token-bound'
import { countTokens } from './text/tokens'

/**
 * Bytes of the prompt around the material, its schema included, names and types of entities apart; the longest is that of an extraction of units and
 * graph, asked for again. A test computes it.
 */
const PROMPT = 5120
/** Bytes of the names that rules find and a prompt shows, beside the text they stand in. */
export const NAMES_BYTES = 1200
const TYPE_BYTES = 8 // around a type of entities, where rule and schema name it
/** Bytes of a reply, for each token it may have, whose vectors are covered beforehand. */
export const REPLY_BYTES = 6
const room = {
  slack: 1.5, // reply tokens allowed per token asked for: models overrun, and a cut sentence is worse than a long one
  units: { most: 3000, form: 200, each: 2.5 }, // tokens of a reply with knowledge units: its form, and for each of the text: a 1,200-token chunk restated, as JSON
  graph: { most: 2000, form: 400, each: 4 }, // tokens of a reply with entities and relations: a short text names more in proportion. What is cut is paid for twice (docs/models.md)
  json: 400, // tokens the form of a report takes
} as const

/** Times our count of tokens a model probably counts at most: for what is planned, not for what is set aside. */
export const MISCOUNT = 1.25

export interface Tokens {
  readonly in: number
  readonly out: number
  readonly embedded: number
}

/** Faults of a call that may have been made: its end was not received, or its reply was unusable. What the vendor refused was not made. */
const AFTER_SENDING: ReadonlySet<string> = new Set(['timeout', 'invalid', 'down'])

/** May a call that ended so be on the bill? */
export function mayBeBilled(fault: string): boolean {
  return AFTER_SENDING.has(fault)
}

/** Tokens the reply to a written task may have. */
export function replyRoom(brief: WrittenBrief): number {
  switch (brief.kind) {
    case 'summarize':
      return Math.ceil(brief.tokens * room.slack)
    case 'report':
      return Math.ceil(brief.tokens * room.slack) + room.json
    case 'extract':
      return (brief.want.units ? unitsRoom(brief) : 0) + (brief.want.graph ? graphRoom(countTokens(brief.text)) : 0)
  }
}

function unitsRoom(brief: Extract<Brief, { kind: 'extract' }>): number {
  return roomFor(room.units, countTokens(brief.text))
}

/** Tokens a reply with entities and relations may have, of a text of so many. */
export function graphRoom(tokens: number): number {
  return roomFor(room.graph, tokens)
}

/** In proportion to the text. */
function roomFor({ most, form, each }: { readonly most: number; readonly form: number; readonly each: number }, tokens: number): number {
  return Math.min(most, form + Math.ceil(each * tokens))
}

/** `thinkingTokens`: those a reply of the model may take beyond its room. */
export function mostOf(brief: Brief, thinkingTokens = 0): Tokens {
  if (brief.kind === 'embed') return { in: 0, out: 0, embedded: tokenBounds(brief.texts) }
  if (brief.kind === 'rerank') return { in: rerankBound(brief.pools), out: 0, embedded: 0 }
  const out = replyRoom(brief)
  const embedded = REPLY_BYTES * (brief.kind === 'extract' ? (brief.want.units ? unitsRoom(brief) : 0) : out)
  const material = tokenBounds(materialOf(brief))
  // Asked again for what it has missed, a model reads what it has said as well: that is covered when it is known.
  const again = brief.kind === 'extract' && brief.want.graph ? (brief.gleanings ?? 0) : 0
  const prompt =
    PROMPT +
    (brief.kind === 'extract' && brief.want.graph
      ? NAMES_BYTES + typesBound(brief.types ?? []) + ontologyBound(brief.ontology) + guidanceBound(brief)
      : 0)
  return { in: (1 + again) * (prompt + material) + again * out, out: (1 + again) * (out + thinkingTokens), embedded }
}

/** The rule says them once, the schema a second time. */
function typesBound(types: readonly string[]): number {
  return types.reduce((sum, type) => sum + 2 * (tokenBound(type) + TYPE_BYTES), 0)
}

const ONTOLOGY = { form: 1400, each: 24 } as const // bytes: what its rules say, and kinds in the examples; around each name

/** All of it is in the rules, and names once more in the schema. */
function ontologyBound(ontology: Ontology | undefined): number {
  if (!ontology) return 0
  const { types, relations } = ontology
  const names = [...types, ...relations].reduce((sum, { name }) => sum + tokenBound(name) + ONTOLOGY.each, 0)
  return ONTOLOGY.form + tokenBound(JSON.stringify(ontology)) + names
}

const GUIDANCE = 400 // bytes: what stands around the owner's words, and the rule of the language

function guidanceBound({ guidance, language, examples = [] }: GivenGuidance): number {
  return (guidance || language ? GUIDANCE + tokenBound(guidance ?? '') : 0) + examples.reduce((sum, one) => sum + exampleBound(one), 0)
}

const EXAMPLE = { form: 160, relation: 16 } as const // bytes: the fence around the passage, and a kind that a relation's description gives

/** Ours, whose place they take, are in `PROMPT` all the same. */
function exampleBound({ text, entities, relations }: WorkedExample): number {
  const kinds = relations.reduce((sum, { description }) => sum + EXAMPLE.relation + tokenBound(description), 0)
  return EXAMPLE.form + tokenBound(text) + tokenBound(JSON.stringify({ entities, relations })) + kinds
}

/** As a model probably counts the corpus's examples in a prompt of this form. */
export function exampleTokens(examples: readonly WorkedExample[] | null | undefined, form: 'full' | 'short'): number {
  const shown = (examples ?? []).slice(form === 'short' ? -1 : 0)
  return shown.reduce(
    (sum, { text, entities, relations }) => sum + countTokens(text) + countTokens(JSON.stringify({ entities, relations })),
    0,
  )
}

/** A re-ranker reads the question with each text. */
export function rerankBound(pools: readonly RerankPool[]): number {
  return pools.reduce((sum, { question, texts }) => sum + tokenBound(question) * texts.length + tokenBounds(texts), 0)
}

/** US dollars per million tokens of each sort. */
interface Rates extends Tokens {
  readonly reranked?: number
  readonly judged?: Pick<Tokens, 'in' | 'out'>
  /** Of stages whose model is not the text model. */
  readonly written?: { readonly [stage: string]: Pick<Tokens, 'in' | 'out'> }
}

/** Stage of what describes pictures. */
export const CONVERT = 'convert'
/** The model that describes pictures is of the platform's choosing, `@cf/google/gemma-3-12b-it`, and no part of a configuration. */
const DESCRIBING = { in: 0.345, out: 0.556 } as const

/** Stage of what transcribes recordings. */
export const TRANSCRIBE = 'transcribe'
/** Whisper of Workers AI: 0.00051 $ a minute (2026-08), of 3,000 tokens. A model of a server costs what the deployment says. */
const HEARING = { in: 0.17, out: 0 } as const

/** Stage of what reads pictures and scans. */
export const OCR = 'ocr'
/** `@cf/google/gemma-4-26b-a4b-it` of Workers AI (2026-08). Another model costs what is known of it, or what the deployment says. */
const SEEING = { in: 0.1, out: 0.3 } as const

/** US dollars of one stage. What a reranker, a judge or a describer of pictures reads has a price of its own. */
export function costOf(rates: Rates | undefined, stage: string, spent: Tokens): number {
  if (!rates) return 0
  const own =
    stage === 'judge'
      ? rates.judged
      : stage === CONVERT
        ? DESCRIBING
        : (rates.written?.[stage] ?? (stage === TRANSCRIBE ? HEARING : stage === OCR ? SEEING : undefined))
  const { in: read, out } = own ?? rates
  const reading = stage === 'rerank' ? (rates.reranked ?? read) : read
  return (spent.in * reading + spent.out * out + spent.embedded * rates.embedded) / 1e6
}

function materialOf(brief: WrittenBrief): readonly string[] {
  switch (brief.kind) {
    case 'summarize':
      return [brief.subject, ...brief.texts]
    case 'report':
      return brief.texts
    case 'extract':
      return [brief.name, brief.text]
  }
}
