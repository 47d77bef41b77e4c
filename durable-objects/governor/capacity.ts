/**
 * What the account may do, from the configuration: `MODEL_SLOTS`, how many calls of one model are made in parallel (`24`, or `24
 * @cf/baai/bge-m3=48`), and `MODEL_RATES`, how many are begun per minute, by task type or by model (`text=600 @cf/some/model=1500`).
 */
import { aiLimits } from '../../src/platform-limits'
import type { CallKind, ModelCall } from '../../src/ports/call-slots'

const DEFAULT_SLOTS = 24 // at some five seconds a call, the 300 calls a minute that Workers AI allows for text models
const MAX_SLOTS = 1000
const MAX_RATE = 1_000_000

const RATES: { readonly [kind in CallKind]: number } = {
  text: aiLimits.textCallsPerMinute,
  embedding: aiLimits.embeddingCallsPerMinute,
  rerank: aiLimits.rerankCallsPerMinute,
}

/** A bad value is an error that names the variable. */
export function capacityOf(text: string | undefined): (model: string) => number {
  const [general, ...single] = (text?.trim() || String(DEFAULT_SLOTS)).split(/[\s,]+/)
  const read = (value: string | undefined): number =>
    whole(value, MAX_SLOTS, `MODEL_SLOTS must be a whole number from 1 to ${MAX_SLOTS}, optionally with <model>=<number> for single models`)
  const all = read(general)
  const own = new Map(single.map((entry) => pair(entry, read)))
  return (model) => own.get(model) ?? all
}

/** A model with its own rate is counted separately, the others together with all of their task type. */
export function ratesOf(text: string | undefined): (call: ModelCall) => { readonly key: string; readonly most: number } {
  const said = `MODEL_RATES must be one or more of <text, embedding, rerank or a model>=<calls a minute, 1 to ${MAX_RATE}>`
  const entries = text?.trim() ? text.trim().split(/[\s,]+/) : []
  const own = new Map<string, number>(Object.entries(RATES))
  for (const entry of entries) {
    if (!entry.includes('=')) throw new Error(said)
    own.set(...pair(entry, (value) => whole(value, MAX_RATE, said)))
  }
  return ({ model, kind }) => ({ key: own.has(model) ? model : kind, most: own.get(model) ?? own.get(kind) ?? RATES[kind] })
}

function pair(entry: string, read: (value: string) => number): [string, number] {
  const at = entry.lastIndexOf('=')
  return [entry.slice(0, at), read(entry.slice(at + 1))]
}

function whole(text: string | undefined, most: number, otherwise: string): number {
  const number = Number(text)
  if (text !== '' && Number.isInteger(number) && number >= 1 && number <= most) return number
  throw new Error(otherwise)
}
