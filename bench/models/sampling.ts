/** Samples: drawn in a fixed order, worked through until the model's time is over, whatever else the machine does meanwhile. */
import { atOnce } from '../../src/core/at-once'
import { random } from '../../src/core/random'
import type { Models } from '../../src/ports/models'
import type { Heard, Recorder } from './recorder'

/** What a model of this machine writes at once, if nothing else is said. */
export const TOGETHER = 2

/** One model, and how long it may write for a role. */
export interface Writer {
  /** Models whose calls are told to `heard`; `json` false: without JSON mode. */
  models(heard: Heard[], json?: boolean): Models
  readonly minutes: number
  /** Replies asked for at once. */
  readonly together: number
}

export interface Sampled<T> {
  readonly results: readonly (T & { readonly heard: readonly Heard[] })[]
  /** Seconds the model wrote, several at once. */
  readonly seconds: number
}

/** A seeded shuffle. */
export function shuffled<T>(items: readonly T[], seed: string): T[] {
  const rng = random(seed)
  const out = [...items]
  for (let i = out.length - 1; i > 0; i--) {
    const j = rng.below(i + 1)
    const [a, b] = [out[i] as T, out[j] as T]
    out[i] = b
    out[j] = a
  }
  return out
}

/** Does the work for as many items as the time allows, in their order. What a reply took counts, not what a kept one takes now. */
export async function sampled<I, T extends object>(
  items: readonly I[],
  { models, minutes, together }: Writer,
  work: (models: Models, item: I) => Promise<T>,
  json = true,
): Promise<Sampled<T>> {
  const lane = atOnce(together)
  let ms = 0
  const done = await Promise.all(
    items.map((item) =>
      lane(async () => {
        if (ms >= minutes * 60_000 * together) return undefined
        const heard: Heard[] = []
        const result = await work(models(heard, json), item).catch((error: unknown) => {
          if (!heard.some((one) => one.isMissing)) throw error
        })
        ms += heard.reduce((sum, one) => sum + one.ms, 0)
        return !result || heard.some((one) => one.isMissing) ? undefined : { ...result, heard }
      }),
    ),
  )
  return { results: done.filter((one) => one !== undefined), seconds: Math.round(ms / 1000 / together) }
}

export function writerOf(recorder: Recorder, models: (json: boolean) => Models, minutes: number, together = TOGETHER): Writer {
  return { minutes, together, models: (heard, json = true) => recorder.recorded(models(json), json ? 'json' : 'words', heard) }
}
