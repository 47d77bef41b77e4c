/** The sound of a WebM or Matroska file (RFC 9559), read element by element from its beginning to its end: indexes and the like are passed over. */
import { type Element, elementAt, partsIn, wholeIn } from './ebml'
import { readBlock } from './matroska-block'
import { type MatroskaTrack, trackIn } from './matroska-track'
import { cutOff, Packets, type SoundTrack } from './packets'

const SEGMENT = 0x18538067
const INFO = 0x1549a966
const SCALE = 0x2ad7b1 // nanoseconds of a tick
const TRACKS = 0x1654ae6b
const CLUSTER = 0x1f43b675
const CLUSTER_TIME = 0xe7
const GROUP = 0xa0
const BLOCKS: ReadonlySet<number> = new Set([0xa1, 0xa3])
/** What these hold is met one by one, since they need not say where they end. */
const ENTERED: ReadonlySet<number> = new Set([SEGMENT, CLUSTER, GROUP])

/** The first track of sound that is read; else why there is none. */
export function soundOfMatroska(file: Uint8Array, most: number): SoundTrack | 'silent' | 'encrypted' | 'unknown' {
  const packets = new Packets(file, most)
  let track: MatroskaTrack | undefined
  let scale = 1e6
  let time = 0
  for (const element of along(file)) {
    const { id } = element
    if (id === INFO) scale = scaleIn(file, element) ?? scale
    if (id === TRACKS && !track) {
      const found = trackIn(file, element)
      if (typeof found === 'string') return found
      track = found
    }
    if (id === CLUSTER_TIME) time = wholeIn(file, element)
    if (track && BLOCKS.has(id)) readBlock(file, element, { track, packets, seconds: (ticks) => ((time + ticks) * scale) / 1e9 })
  }
  if (!track) throw cutOff()
  return { ...track, packets }
}

function scaleIn(file: Uint8Array, info: Element): number | undefined {
  const scale = partsIn(file, info, [SCALE]).get(SCALE)
  return scale && wholeIn(file, scale)
}

function* along(file: Uint8Array): Generator<Element> {
  let segments = 0
  for (let at = 0; at < file.length; ) {
    const element = elementAt(file, at)
    if (!element) return // what a recorder had made room for
    if (element.id === SEGMENT && ++segments > 1) return
    const isOpen = element.end === Number.POSITIVE_INFINITY && ENTERED.has(element.id)
    if (element.end > file.length && !isOpen) throw cutOff()
    yield element
    at = ENTERED.has(element.id) ? element.start : element.end
  }
}
