/** The sound of a video as it lies in its file: packets of one track, found by who reads the container (mp4.ts, matroska.ts). Nothing is decoded. */
import { Unreadable } from '../unreadable'

const MAX_PACKETS = 200_000 // more than an hour of what video holds; a file may claim billions
const FIRST = 1024 // room that is made at once

export type Coding = 'aac' | 'mp3' | 'opus' | 'vorbis'

/** How the packets of a track are read. */
export interface SoundFormat {
  readonly coding: Coding
  /** What a decoder is told first: AAC’s AudioSpecificConfig, Opus’ identification header, Vorbis’ three headers in Xiph lacing. */
  readonly config: Uint8Array
  readonly rate: number
  readonly channels: number
}

export interface SoundTrack extends SoundFormat {
  readonly packets: Packets
}

export const cutOff = (): Unreadable => new Unreadable('broken', 'This video is cut off, or broken.')
const tooLarge = (most: number): Unreadable =>
  new Unreadable(
    'too_large',
    `The sound of a video may have at most ${most / 1024 / 1024} MiB, and take about an hour. Split it, or compress its sound: speech is understood at 32 kbit/s.`,
  )

export class Packets {
  readonly #file: Uint8Array
  readonly #most: number
  #at = new Uint32Array(FIRST)
  #size = new Uint32Array(FIRST)
  #seconds = new Float64Array(FIRST)
  #claimed = 0
  count = 0
  bytes = 0

  /** `most`: bytes of all together. */
  constructor(file: Uint8Array, most: number) {
    this.#file = file
    this.#most = most
  }

  /** In the order of the track. What lies outside of the file, or is too much, ends the reading: so a table may claim what it likes. */
  push(at: number, size: number, seconds: number): void {
    this.#claimed++
    if (this.#claimed > MAX_PACKETS || this.bytes + size > this.#most) throw tooLarge(this.#most)
    if (!(at >= 0 && size >= 0 && at + size <= this.#file.length)) throw cutOff()
    if (size === 0) return
    if (this.count === this.#at.length) this.#grow()
    this.#at[this.count] = at
    this.#size[this.count] = size
    this.#seconds[this.count] = seconds
    this.count++
    this.bytes += size
  }

  /** A view of the file. */
  data(n: number): Uint8Array {
    const at = this.#at[n] ?? 0
    return this.#file.subarray(at, at + this.size(n))
  }

  copyTo(whole: Uint8Array, from: number): void {
    for (let n = 0, at = from; n < this.count; n++) {
      whole.set(this.data(n), at)
      at += this.size(n)
    }
  }

  size(n: number): number {
    return this.#size[n] ?? 0
  }

  /** When it is to be heard, in the video. */
  seconds(n: number): number {
    return this.#seconds[n] ?? 0
  }

  #grow(): void {
    const length = this.count * 2
    const [at, size, seconds] = [new Uint32Array(length), new Uint32Array(length), new Float64Array(length)]
    at.set(this.#at)
    size.set(this.#size)
    seconds.set(this.#seconds)
    this.#at = at
    this.#size = size
    this.#seconds = seconds
  }
}
