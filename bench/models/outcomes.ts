/** What became of replies, and what they cost, for any role. */
import { countTokens } from '../../src/core/text/tokens'
import type { Heard } from './recorder'
import type { Sampled } from './sampling'

export const ways = ['once', 'repaired', 'retried', 'split', 'unusable'] as const
/** once: the first reply was used as it came · repaired: its JSON was mended · retried · split: the text was halved · unusable: an extract, or nothing, stands in. */
export type Way = (typeof ways)[number]

const SHORTER = 0.8 // of the first prompt's last message, from which a later one is about a part of the text

export interface Outcomes {
  readonly sample: number
  readonly ways: { readonly [way in Way]?: number }
  /** Replies that ended where their room did. */
  readonly truncated: number
  readonly calls: number
  readonly seconds: number
  /** Processor seconds of the models, where every reply says them. */
  readonly cpu?: number
  readonly tokens: { readonly in: number; readonly out: number; readonly countedIn: number; readonly countedOut: number }
  readonly load: number
}

export function outcomeOf(heard: readonly Heard[], isUsable: boolean): Way {
  const [first] = heard
  if (!isUsable || !first) return 'unusable'
  if (heard.length === 1) return first.schema === undefined || isJson(first.reply?.text ?? '') ? 'once' : 'repaired'
  const size = (one: Heard): number => one.messages.at(-1)?.content.length ?? 0
  const isPart = heard.some((one) => size(one) < size(first) * SHORTER)
  return isPart ? 'split' : 'retried'
}

export function outcomesOf<T extends { readonly isUsable: boolean }>({ results, seconds }: Sampled<T>): Outcomes {
  const heard = results.flatMap((one) => one.heard)
  const found = results.map((one) => outcomeOf(one.heard, one.isUsable))
  const sum = (pick: (one: Heard) => number): number => heard.reduce((total, one) => total + pick(one), 0)
  return {
    sample: results.length,
    ways: Object.fromEntries(ways.flatMap((way) => (found.includes(way) ? [[way, found.filter((one) => one === way).length]] : []))),
    truncated: heard.filter((one) => one.reply?.truncated).length,
    calls: heard.length,
    seconds,
    ...(heard.every((one) => one.cpu !== undefined) ? { cpu: Math.round(sum((one) => one.cpu ?? 0)) } : {}),
    tokens: {
      in: sum((one) => one.reply?.spent.in ?? 0),
      out: sum((one) => one.reply?.spent.out ?? 0),
      countedIn: sum((one) => (one.reply ? one.messages.reduce((all, { content }) => all + countTokens(content), 0) : 0)),
      countedOut: sum((one) => countTokens(one.reply?.text ?? '')),
    },
    load: Number((sum((one) => one.load) / Math.max(1, heard.length)).toFixed(1)),
  }
}

export function share<T>(all: readonly T[], test: (one: T) => boolean): number {
  return all.length === 0 ? 0 : Number((all.filter(test).length / all.length).toFixed(3))
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
