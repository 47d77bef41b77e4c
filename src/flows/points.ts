/**
 * What a model draws from one layer of ArchRAG's search (arXiv 2502.09891, §3.2.2, "adaptive filtering"): points, each with the texts that
 * support it and how much it helps. The prompt, and the parsed reply: a point that names none of the texts shown, or that its texts do not
 * support, is dropped and counted; it is the model's own opinion, never evidence.
 */
import { z } from 'zod'
import type { Evidence } from '../core/evidence'
import type { Message } from '../ports/models'
import { invalid } from './faults'
import { fenceTexts } from './fence'
import { hasSupportFor } from './letter-overlap'
import { withoutMarkers } from './markers'
import { line } from './replies'
import { parseJson } from './reply-json'
import { clipToTokens } from './windows'

export const pointLimits = {
  tokens: 800, // in a reply
  overhead: 500, // tokens in a prompt besides the question and its texts
  max: 12, // points taken from one reply
  text: 600, // characters of one
  best: 100, // score
} as const

export interface Point {
  readonly text: string
  /** 1 to 100. */
  readonly score: number
  /** Places in the evidence, ascending. */
  readonly sources: readonly number[]
}

export interface ParsedPoints {
  readonly points: readonly Point[]
  readonly dropped: number
}

/** `texts`: shown with their numbers. `hint`: why the previous reply was unusable. */
export function pointPrompt(question: string, layer: number, texts: readonly string[], window: number, hint: string): readonly Message[] {
  const { law, block } = fenceTexts(texts)
  const clipped = clipToTokens(question, Math.floor(window / 8))
  const rules = [
    layer === 0
      ? 'The material is numbered passages of documents, and what they say of things and how these are related, found for a question.'
      : 'The material is numbered reports on groups of related things, found for a question.',
    'Draw from it what helps to answer the question. Reply with JSON: "points", a list, the most helpful first, each with "text" (one or two ' +
      'sentences that say what the material says, with its names and figures, in its wording and language), "sources" (the numbers of the ' +
      'texts that say so) and "score" (1 to 100, how much it helps to answer the question).',
    'What the material does not say is no point, however well known. If nothing helps, the list is empty.',
    law,
    ...(hint === '' ? [] : [`Your reply before could not be used: ${hint}. Follow the form exactly.`]),
  ]
  return [
    { role: 'system', content: rules.join('\n') },
    { role: 'user', content: `Question: ${clipped}\n\n${block}\n\nQuestion: ${clipped}` },
  ]
}

const NUMBER = { type: 'number' } as const
export const pointSchema: unknown = {
  type: 'object',
  properties: {
    points: {
      type: 'array',
      items: {
        type: 'object',
        properties: { text: { type: 'string' }, sources: { type: 'array', items: NUMBER }, score: NUMBER },
        required: ['text', 'sources', 'score'],
        additionalProperties: false,
      },
    },
  },
  required: ['points'],
  additionalProperties: false,
}

const number = z.preprocess((value) => (typeof value === 'string' ? Number.parseFloat(value.replace(/[^\d.-]/g, '')) : value), z.number())
const Reply = z.object({ points: z.array(z.unknown()) })
const pointForm = z.object({
  text: z.string(),
  score: number,
  sources: z.preprocess((value) => [value].flat(), z.array(number.catch(0))),
})

/**
 * `shown`: places in the evidence of the texts given to the model. A point that is useless for the question is not a fault, and not
 * counted.
 */
export function parsePoints(reply: string, evidence: readonly Evidence[], shown: readonly number[]): ParsedPoints {
  const parsed = Reply.safeParse(parseJson(reply))
  if (!parsed.success) throw invalid()
  const known = new Set(shown)
  const points: Point[] = []
  let dropped = 0
  for (const raw of parsed.data.points) {
    const reply = pointForm.safeParse(raw)
    if (reply.success && reply.data.score <= 0) continue
    const point = reply.success ? pointOf(reply.data, known) : undefined
    if (point && points.length < pointLimits.max && borne(point, evidence)) points.push(point)
    else dropped++
  }
  return { points, dropped }
}

function pointOf({ text, score, sources }: z.output<typeof pointForm>, known: ReadonlySet<number>): Point | undefined {
  const named = [...new Set(sources.map((one) => one - 1))].filter((place) => known.has(place)).sort((a, b) => a - b)
  const bare = line(withoutMarkers(text), pointLimits.text)
  if (named.length === 0 || !/[\p{L}\p{N}]/u.test(bare)) return undefined
  return { text: bare, score: Math.min(pointLimits.best, score), sources: named }
}

function borne({ text, sources }: Point, evidence: readonly Evidence[]): boolean {
  return hasSupportFor(sources.map((place) => `${evidence[place]?.title ?? ''}\n${evidence[place]?.text ?? ''}`).join('\n'), text)
}
