/** When what is heard in the sound alone is heard in the video: sound may begin late there, or pause, and a model counts what it hears. */
import { aacConfigOf } from './aac'
import type { SoundTrack } from './packets'

const PAUSE = 0.5 // seconds between two packets that no packet takes
const DRIFT = 0.25 // seconds that nobody notices
const USUAL = 0.02 // seconds of a packet of which nothing is known

export interface Timeline {
  /** For each packet, when it ends in the sound alone. */
  readonly ends: Float64Array
  /** Each second of the sound is that second of the video. */
  readonly keepsTime: boolean
  secondsInFile(seconds: number): number
}

export function timelineOf(track: SoundTrack): Timeline {
  const { packets } = track
  const durationOf = durationsOf(track)
  const ends = new Float64Array(packets.count)
  const places: { readonly at: number; readonly shift: number }[] = []
  let clock = 0
  for (let n = 0; n < packets.count; n++) {
    const shift = packets.seconds(n) - clock
    if (Math.abs(shift - (places.at(-1)?.shift ?? 0)) > DRIFT) places.push({ at: clock, shift })
    clock += durationOf(n)
    ends[n] = clock
  }
  return {
    ends,
    keepsTime: places.length === 0,
    secondsInFile(seconds) {
      let [low, high] = [0, places.length] // the last place that is not after it stands before `high`
      while (low < high) {
        const middle = (low + high) >> 1
        if ((places[middle]?.at ?? 0) <= seconds) low = middle + 1
        else high = middle
      }
      return Math.max(0, seconds + (places[low - 1]?.shift ?? 0))
    },
  }
}

/** Seconds of each packet, asked for one after the other. What does not say it lasts until the next. */
function durationsOf({ coding, config, packets }: SoundTrack): (n: number) => number {
  if (coding === 'opus') return (n) => opusSeconds(packets.data(n))
  const aac = coding === 'aac' ? aacConfigOf(config) : null
  if (aac) return () => aac.samples / aac.rate
  let usual = USUAL
  return (n) => {
    const until = n + 1 < packets.count ? packets.seconds(n + 1) - packets.seconds(n) : 0
    if (until > 0 && until <= PAUSE) usual = until
    return usual
  }
}

/** By its first byte (RFC 6716, 3.1): how long a frame is, and how many there are. */
function opusSeconds(packet: Uint8Array): number {
  const head = packet[0] ?? 0
  const kind = head >> 3
  const long = kind < 12 ? [10, 20, 40, 60][kind & 3] : kind < 16 ? [10, 20][kind & 1] : [2.5, 5, 10, 20][kind & 3]
  const frames = [1, 2, 2, (packet[1] ?? 0) & 63][head & 3]
  return ((long ?? 0) * (frames ?? 0)) / 1000
}
