/**
 * The replies of the catalogue's models in one shape. The shape varies by model and by date: `{response}` (text, object, even a number),
 * `{choices}` as in OpenAI's chat API, `{output}` as in its Responses API. The content is not checked here.
 */
import type { Spent } from '../contract/usage'
import { modelError } from './workers-ai-faults'

const SLACK = 16_384 // characters besides the reply itself
const CHARACTERS = 32 // of one token, on average over a reply

type Loose = { readonly [key: string]: unknown }

/**
 * Characters that a reply with this many tokens may have: several times what any vocabulary needs, and a bound on everything done with it.
 */
export function maxCharacters(tokens: number): number {
  return SLACK + tokens * CHARACTERS
}

/**
 * The text of a finished reply, without the model's thinking. Rejects an empty one, and one that no model can have written within this
 * limit.
 */
export function textOf(reply: unknown, tokens: number): string {
  const text = spokenOf(reply, tokens)
  if (text === '') throw modelError('invalid')
  return text
}

/** The same for a reply that may be empty, since it calls functions. */
export function spokenOf(reply: unknown, tokens: number): string {
  const all = found(reply) ?? ''
  if (all.length > maxCharacters(tokens)) throw modelError('invalid')
  return spokenPart(all).trim()
}

/**
 * Was the reply cut at its limit? Shapes with a finish reason say so; `{response}` has none, and there the token count decides. An object
 * was parsed by the vendor: it is complete.
 */
export function isCut(reply: unknown, room: number, written: number): boolean {
  const said = endOf(reply)
  if (said !== undefined) return said === 'cut'
  const { response } = loose(reply)
  if (typeof response === 'object' && response !== null) return false
  return written >= room
}

/** The finish reason in a reply, or in an event of a stream; undefined if there is none. */
export function endOf(reply: unknown): 'whole' | 'cut' | undefined {
  const body = loose(reply)
  const choice = loose(list(body.choices)[0])
  const reason = choice.finish_reason ?? body.finish_reason ?? loose(body.incomplete_details).reason
  if (typeof reason !== 'string') return undefined
  return reason === 'length' || reason === 'max_tokens' || reason === 'max_output_tokens' ? 'cut' : 'whole'
}

/** The piece of text in one event of a stream; empty if the event carries none. */
export function deltaOf(event: unknown): string {
  const body = loose(event)
  if (body.type === 'response.output_text.delta') return plain(body.delta)
  const choice = loose(list(body.choices)[0])
  return plain(loose(choice.delta).content) || plain(choice.text) || plain(body.response)
}

/** Tokens as the model counted them, or undefined. */
export function usageOf(reply: unknown): Spent | undefined {
  const usage = loose(loose(reply).usage)
  const read = whole(usage.prompt_tokens ?? usage.input_tokens)
  const written = whole(usage.completion_tokens ?? usage.output_tokens)
  return read + written > 0 ? { in: read, out: written, embedded: 0 } : undefined
}

/**
 * Vectors in the order of the texts, from `{data}`, `{response}` or OpenAI's `{data: [{embedding, index}]}`. Anything that is not a list of
 * numbers becomes empty.
 */
export function vectorsOf(reply: unknown, count: number): readonly (readonly number[])[] {
  const body = loose(reply)
  const rows = list(body.data ?? body.response ?? loose(body.result).data)
  const vectors = rows.map((row) => list(Array.isArray(row) || ArrayBuffer.isView(row) ? row : loose(row).embedding))
  const indexed = rows.map((row, i) => ({ at: whole(loose(row).index ?? i), vector: vectors[i] ?? [] })).sort((a, b) => a.at - b.at)
  if (indexed.length !== count) throw modelError('invalid')
  return indexed.map(({ vector }) => (vector.every((one) => typeof one === 'number') ? (vector as readonly number[]) : []))
}

/**
 * Can it represent a text? Not if it has another length, contains something that is not a number, is too large to be squared, or is all
 * zeros.
 */
export function isUsable(vector: readonly number[], dimensions: number): boolean {
  const square = vector.reduce((sum, one) => sum + one * one, 0)
  return vector.length === dimensions && Number.isFinite(square) && square > 0
}

/** Scores in the order of the contexts; one that the model left out gets the lowest it gave. */
export function scoresOf(reply: unknown, count: number): readonly number[] {
  const rows = list(loose(reply).response ?? loose(reply).data ?? loose(reply).results).map(loose)
  const known = new Map<number, number>()
  for (const row of rows) {
    const score = row.score ?? row.relevance_score
    if (typeof score === 'number' && Number.isFinite(score)) known.set(whole(row.id ?? row.index), score)
  }
  if (known.size === 0) throw modelError('invalid')
  const min = Math.min(...known.values())
  return Array.from({ length: count }, (_, i) => known.get(i) ?? min)
}

function found(reply: unknown): string | undefined {
  if (typeof reply === 'string') return reply
  const body = loose(reply)
  if (body.response !== undefined && body.response !== null) return written(body.response)
  const choice = loose(list(body.choices)[0])
  const content = loose(choice.message).content ?? choice.text
  if (content !== undefined && content !== null) return written(content)
  if (typeof body.output_text === 'string') return body.output_text
  const message = list(body.output)
    .map(loose)
    .find((item) => item.type === 'message')
  if (message) return written(message.content)
  return body.result === undefined ? undefined : found(body.result)
}

/** Text unchanged, parts joined, any other value as JSON. */
function written(value: unknown): string {
  if (typeof value === 'string') return value
  const parts = list(value).map((part) => loose(part).text)
  if (parts.length > 0 && parts.every((part) => typeof part === 'string')) return parts.join('')
  return JSON.stringify(value)
}

/** A model that thinks aloud closes its thinking with a tag; thinking that never ended leaves no reply. */
function spokenPart(text: string): string {
  const end = text.lastIndexOf('</think>')
  if (end >= 0) return text.slice(end + '</think>'.length)
  return /^\s*<think>/.test(text) ? '' : text
}

/** Some models stream a token that looks like a number as a number. */
function plain(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

function loose(value: unknown): Loose {
  return typeof value === 'object' && value !== null ? (value as Loose) : {}
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : ArrayBuffer.isView(value) ? Array.from(value as unknown as ArrayLike<unknown>) : []
}

function whole(value: unknown): number {
  return typeof value === 'number' && value >= 0 ? Math.round(value) : 0
}
