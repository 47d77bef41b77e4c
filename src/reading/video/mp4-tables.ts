/** Where the packets of a track of MP4 lie, by the tables of its `stbl`. They are read once and side by side; what they claim bounds nothing. */
import { type Box, boxIn, longAt, type Table, tableIn } from './boxes'
import type { Packets } from './packets'

/** How a track counts time. */
export interface Ticks {
  /** Ticks a second. */
  readonly scale: number
  /** When its first tick is, in the video. */
  readonly start: number
}

export function readTables(view: DataView, stbl: Box, { scale, start }: Ticks, packets: Packets): void {
  const size = sizesIn(view, stbl)
  const stco = boxIn(view, stbl, 'stco')
  const offsets = stco ? tableIn(view, stco, 4) : tableIn(view, boxIn(view, stbl, 'co64'), 8)
  const perChunk = perChunkIn(view, tableIn(view, boxIn(view, stbl, 'stsc'), 12))
  const ticks = ticksIn(view, tableIn(view, boxIn(view, stbl, 'stts'), 8))
  let sample = 0
  for (let chunk = 0; chunk < offsets.count && sample < size.count; chunk++) {
    let at = stco ? view.getUint32(offsets.at + chunk * 4) : longAt(view, offsets.at + chunk * 8)
    for (let left = perChunk(chunk + 1); left > 0 && sample < size.count; left--, sample++) {
      const bytes = size.of(sample)
      packets.push(at, bytes, start + (ticks.next().value ?? 0) / scale)
      at += bytes
    }
  }
}

interface Sizes {
  readonly count: number
  of(sample: number): number
}

function sizesIn(view: DataView, stbl: Box): Sizes {
  const stsz = boxIn(view, stbl, 'stsz')
  if (!stsz) return { count: 0, of: () => 0 }
  const equal = view.getUint32(stsz.start + 4)
  const { at, count } = tableIn(view, stsz, equal === 0 ? 4 : 0, 8)
  return { count, of: (sample) => (equal === 0 ? view.getUint32(at + sample * 4) : equal) }
}

/** How many samples a chunk has, asked for chunk by chunk. A row holds from its first chunk to that of the next row. */
function perChunkIn(view: DataView, { at, count }: Table): (chunk: number) => number {
  let row = 0
  return (chunk) => {
    while (row + 1 < count && view.getUint32(at + (row + 1) * 12) <= chunk) row++
    return count === 0 ? 0 : view.getUint32(at + row * 12 + 4)
  }
}

/** The time of each sample. A row says how many follow each other at which distance. */
function* ticksIn(view: DataView, { at, count }: Table): Generator<number, undefined> {
  let tick = 0
  for (let row = 0; row < count; row++) {
    const distance = view.getUint32(at + row * 8 + 4)
    for (let left = view.getUint32(at + row * 8); left > 0; left--, tick += distance) yield tick
  }
  return undefined
}
