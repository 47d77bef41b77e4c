/** The packets in a block of Matroska: one, or several laced together behind a list of their lengths. */
import { type Element, numberAt } from './ebml'
import type { MatroskaTrack } from './matroska-track'
import { cutOff, type Packets } from './packets'

const LACING = 0b110 // of a block's flags
const XIPH = 0b010
const EQUAL = 0b100

interface Around {
  readonly track: MatroskaTrack
  readonly packets: Packets
  /** When a tick of this cluster is, in the video. */
  seconds(ticks: number): number
}

export function readBlock(file: Uint8Array, { start, end }: Element, { track, packets, seconds }: Around): void {
  const number = numberAt(file, start)
  if (number?.value !== track.number) return
  const head = start + number.width
  if (head + 3 > end) throw cutOff()
  const ticks = (((file[head] ?? 0) << 24) >> 16) | (file[head + 1] ?? 0)
  const lacing = (file[head + 2] ?? 0) & LACING
  const first = seconds(ticks)
  let at = head + 3
  const lengths = lacing === 0 ? [end - at] : laced()
  for (const [n, length] of lengths.entries()) {
    if (at + length > end) throw cutOff()
    packets.push(at, length, first + n * track.duration)
    at += length
  }

  /** At most 256. What is not said of the last is what is left. */
  function laced(): number[] {
    const count = file[at++] ?? 0
    if (lacing === EQUAL) return Array<number>(count + 1).fill(Math.floor((end - at) / (count + 1)))
    const stated = statedIn(file, at, { lacing, count })
    at = stated.at
    return [...stated.lengths, end - at - stated.lengths.reduce((sum, one) => sum + one, 0)]
  }
}

interface Lacing {
  readonly lacing: number
  readonly count: number
}

/** `at`: where they end. */
function statedIn(file: Uint8Array, from: number, { lacing, count }: Lacing): { readonly at: number; readonly lengths: readonly number[] } {
  let at = from
  const lengths: number[] = []
  for (let n = 0; n < count; n++) {
    if (lacing === XIPH) {
      let length = 0
      for (let byte = 255; byte === 255; length += byte) byte = file[at++] ?? 0
      lengths.push(length)
    } else {
      const coded = numberAt(file, at)
      if (!coded) throw cutOff()
      at += coded.width
      // The first as it is, each other by how much it differs from the one before.
      lengths.push(n === 0 ? (coded.value ?? 0) : (lengths[n - 1] ?? 0) + (coded.value ?? 0) - (2 ** (coded.width * 7 - 1) - 1))
    }
  }
  return { at, lengths }
}
