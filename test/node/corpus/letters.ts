/** Corpora of small letters on one index, for tests of the sinks. */

import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { MARKER } from '../../../durable-objects/corpus/outbox/index-sink'
import type { Settings } from '../../../src/core/settings'
import type { DocumentInput } from '../../../src/ports/documents'
import { type Mortal, mortalWorld, type Shared, type World } from './mortal-object'

const SMALL: Partial<Settings> = { chunking: { chunk: 60, overlap: 0, passage: 30 }, models: 'none' }
const worlds: World[] = []

/** After each test. */
export function closeAll(): void {
  for (const world of worlds.splice(0)) world.close()
}

export function begun(
  names: readonly string[] = [],
  shared: Shared = {},
  settings: Partial<Settings> = {},
): { readonly world: World; readonly mortal: Mortal } {
  const world = mortalWorld(names, { ...SMALL, ...settings }, shared)
  worlds.push(world)
  return { world, mortal: world.wake() }
}

export const textOf = (n: number): string => `Captain ${name(n)} met Pilot ${name(n + 7)} and wrote of it on day ${n}.`
export const letters = (count: number, from = 0): DocumentInput[] =>
  Array.from({ length: count }, (_, i) => ({ id: `letter-${from + i}`, text: textOf(from + i), title: '', url: null, metadata: {} }))

/** A name of its own for each number. */
export function name(n: number): string {
  return [...String(n)]
    .map((digit) => ['Ba', 'De', 'Fi', 'Go', 'Ku', 'La', 'Me', 'Ni', 'Ro', 'Su'][Number(digit)])
    .join('')
    .replace(/^(.)(.*)$/, (_, a, b) => a + b.toLowerCase())
}

export const put = ({ context }: Mortal, upserts: readonly DocumentInput[]) => accept(context, { kind: 'batch', upserts, deletes: [] })

/** What the index shows of a corpus, the mark apart. */
export const shown = ({ index }: World, uid = 'mortal'): string[] =>
  [...index.rows.values()].filter((one) => one.namespace === uid && one.metadata?.kind !== MARKER).map((one) => one.id)
