/** The sound of videos, taken out of their files as it lies there; and files that were made to break what does so. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { random } from '../../../src/core/random'
import { heardAsProse } from '../../../src/reading/recordings'
import { soundOfVideo } from '../../../src/reading/video/sound-of-video'
import { CLIP_MKV, CLIP_MOV, CLIP_MP4, CLIP_WEBM, FRAGMENTS_MP4, LATE_MP4, SILENT_MP4, VORBIS_WEBM } from '../../videos'

const MOST = 8 * 1024 * 1024
const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16)
const whyNot = (file: Uint8Array): string => {
  const sound = soundOfVideo(file, MOST)
  return sound.kind === 'unreadable' ? sound.why : `${sound.recording.media} of ${sound.recording.bytes.length} bytes`
}
function soundOf(file: Uint8Array) {
  const sound = soundOfVideo(file, MOST)
  if (sound.kind === 'unreadable') throw new Error(sound.detail)
  return sound
}
/** A copy with something else in the place of the n-th `name`, or after it. */
function changed(file: Uint8Array, name: string, change: (view: DataView, at: number) => void, n = 0): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(file)
  let at = -1
  for (let i = 0; i <= n; i++) at = Buffer.from(copy).indexOf(name, at + 1, 'latin1')
  if (at < 0) throw new Error(`no ${name}`)
  change(new DataView(copy.buffer), at)
  return copy
}
const named = (view: DataView, at: number, name: string): void => {
  for (const [i, letter] of [...name].entries()) view.setUint8(at + i, letter.charCodeAt(0))
}

/** The packets of an Ogg file, one after the other, without those of its headers; whoever decodes it reads it like this (RFC 3533). */
function packetsOfOgg(bytes: Uint8Array, headers: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const packets: number[][] = [[]]
  for (let at = 0; at < bytes.length; ) {
    const count = bytes[at + 26] ?? 0
    let from = at + 27 + count
    expect([view.getUint32(at), from <= bytes.length]).toEqual([0x4f676753, true])
    for (const length of bytes.subarray(at + 27, at + 27 + count)) {
      packets.at(-1)?.push(...bytes.subarray(from, from + length))
      from += length
      if (length < 255) packets.push([])
    }
    at = from
  }
  return Uint8Array.from(packets.slice(headers).flat())
}

describe('the sound of a video', () => {
  // Packets as `ffmpeg -map 0:a -c copy -f data` gives them; files that ffmpeg decoded to the same samples as the video's own sound.
  it.each([
    ['MP4', CLIP_MP4, 'audio/mp4', '46c56c8859f9c84d', '2613531fc6579c6d'],
    ['MP4 in fragments', FRAGMENTS_MP4, 'audio/mp4', '46c56c8859f9c84d', '2613531fc6579c6d'],
    ['MOV', CLIP_MOV, 'audio/mp4', '46c56c8859f9c84d', '2613531fc6579c6d'],
    ['MP4, late', LATE_MP4, 'audio/mp4', '21ce4f6d75325f00', '78366c23bb10b539'],
    ['MKV', CLIP_MKV, 'audio/mpeg', 'f16804df9bc4483d', 'f16804df9bc4483d'],
    ['WebM with Opus', CLIP_WEBM, 'audio/ogg', '59311215f2f1cf61', '42b2b603b89d32b0'],
    ['WebM with Vorbis', VORBIS_WEBM, 'audio/ogg', '1c353e9c305bdeae', '472a01bc78402883'],
  ])(
    '[F2000] of %s is its packets as they lie there, in a form that models take, and the same bytes each time',
    (_, file, media, packets, whole) => {
      const { recording } = soundOf(file)
      const { bytes } = recording
      expect([recording.media, sha(bytes), sha(soundOf(file).recording.bytes)]).toEqual([media, whole, whole])
      const own = { 'audio/mp4': () => bytes.subarray(Buffer.from(bytes).indexOf('mdat') + 4), 'audio/mpeg': () => bytes }
      const ogg = () => packetsOfOgg(bytes, file === CLIP_WEBM ? 2 : 3)
      expect(sha((own[media as keyof typeof own] ?? ogg)())).toBe(packets)
    },
  )

  it('[F2000] is what can be taken out again: of packets on many pages, and from an M4A', () => {
    expect(sha(soundOf(soundOf(CLIP_MP4).recording.bytes).recording.bytes)).toBe('2613531fc6579c6d')
    // Each cluster again, two hundred times: 15,400 packets, of which no page takes more than 255.
    const at = Buffer.from(CLIP_WEBM).indexOf('1f43b675', 'hex')
    const segment = Buffer.from(CLIP_WEBM).indexOf('18538067', 'hex')
    const head = CLIP_WEBM.slice(0, at)
    head.set([0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], segment + 4) // a segment of unknown length
    const long = Buffer.concat([head, ...Array<Uint8Array>(200).fill(CLIP_WEBM.slice(at))])
    const once = packetsOfOgg(soundOf(CLIP_WEBM).recording.bytes, 2)
    expect(sha(packetsOfOgg(soundOf(long).recording.bytes, 2))).toBe(sha(Buffer.concat(Array<Uint8Array>(200).fill(once))))
  })

  it('[F2001] what is heard in sound that begins late is cited with the time in the video', () => {
    const [late, prompt] = [soundOf(LATE_MP4), soundOf(CLIP_MP4)]
    expect([late.keepsTime, late.secondsInFile(0.5).toFixed(1)]).toEqual([false, '2.4'])
    expect([prompt.keepsTime, prompt.secondsInFile(0.5)]).toEqual([true, 0.5])
    const cues = [{ seconds: 0.5, text: 'A heron.' }].map((cue) => ({ ...cue, seconds: late.secondsInFile(cue.seconds) }))
    expect(heardAsProse(cues).outline[0]?.seconds).toBeCloseTo(2.436, 2)
  })

  it('[H2001] that is not there, not read or protected is told apart', () => {
    expect(whyNot(SILENT_MP4)).toBe('no_text')
    expect(whyNot(changed(CLIP_MKV, 'A_MPEG/L3', (view, at) => named(view, at, 'A_AC3\0\0\0\0')))).toBe('unsupported')
    expect(whyNot(changed(CLIP_MP4, 'mp4a', (view, at) => named(view, at, 'alac'), 0))).toBe('unsupported')
    expect(whyNot(changed(CLIP_MP4, 'mp4a', (view, at) => named(view, at, 'enca'), 0))).toBe('encrypted')
    expect(whyNot(Buffer.from('OggS\0\x02 a video in another container'))).toBe('broken')
    const small = soundOfVideo(CLIP_MP4, 1000)
    expect(small).toMatchObject({ kind: 'unreadable', why: 'too_large', detail: expect.stringContaining('Split it') })
  })
})

describe('a video made to break its reader', () => {
  const MANY = 0xffffffff
  const box = (name: string, ...inside: readonly Uint8Array[]): Buffer => {
    const size = Buffer.alloc(4)
    size.writeUInt32BE(inside.reduce((sum, { length }) => sum + length, 8))
    return Buffer.concat([size, Buffer.from(name, 'latin1'), ...inside])
  }

  it('[F2002] that is cut off is refused; recorded in parts, it may end after any of them', () => {
    for (const file of [CLIP_MP4, CLIP_MOV, CLIP_WEBM, CLIP_MKV]) {
      const found = new Set(Array.from({ length: file.length }, (_, length) => whyNot(file.subarray(0, length))))
      // The MOV has its sound in front of its last picture.
      expect([...found].filter((one) => one !== 'broken' && !(file === CLIP_MOV && one === whyNot(file)))).toEqual([])
    }
    const parts = new Set(Array.from({ length: FRAGMENTS_MP4.length }, (_, length) => whyNot(FRAGMENTS_MP4.subarray(0, length))))
    expect([...parts].sort()).toEqual([
      'audio/mp4 of 1359 bytes',
      'audio/mp4 of 1909 bytes',
      'audio/mp4 of 2497 bytes',
      'broken',
      'no_text',
    ])
  })

  it('[F2002] may claim four billion rows, samples or sizes: what its bytes do not hold is not read', () => {
    const claims = (name: string, after: number, n: number) =>
      whyNot(changed(CLIP_MP4, name, (view, at) => view.setUint32(at + 4 + after, MANY), n))
    const tables = [claims('stts', 4, 1), claims('stsz', 8, 1), claims('stco', 4, 0), claims('stsc', 4, 1), claims('elst', 4, 1)]
    expect(tables.map((one) => (one === 'broken' ? one : '')).filter((one) => one !== '').length).toBeGreaterThanOrEqual(4)
    const lasting = changed(CLIP_MP4, 'stts', (view, at) => view.setUint32(at + 12, MANY), 1)
    const inOneChunk = changed(lasting, 'stsc', (view, at) => view.setUint32(at + 16, MANY), 1)
    expect(whyNot(inOneChunk)).toBe(whyNot(CLIP_MP4)) // as many as there are sizes
    const equal = (size: number, count: number) => (view: DataView, at: number) => {
      view.setUint32(at + 8, size)
      view.setUint32(at + 12, count)
    }
    expect(whyNot(changed(inOneChunk, 'stsz', equal(1, MANY), 1))).toBe('broken')
    const runs = Array.from({ length: 6 }, (_, n) => whyNot(changed(FRAGMENTS_MP4, 'trun', equal(MANY, 0), n)))
    const untold = Array.from({ length: 6 }, (_, n) =>
      whyNot(
        changed(
          FRAGMENTS_MP4,
          'trun',
          (view, at) => {
            view.setUint32(at + 4, 0)
            view.setUint32(at + 8, MANY)
          },
          n,
        ),
      ),
    )
    expect([runs.includes('broken'), untold.includes('too_large') || untold.includes('broken')]).toEqual([true, true])
  })

  it('[F2002] may be of boxes in boxes, of empty ones, or of thousands of tracks', () => {
    const MIB = 1024 * 1024
    const head = box('ftyp', Buffer.from('isom\0\0\0\0'))
    let nested: Buffer = Buffer.alloc(0)
    for (let depth = 0; depth < 3000; depth++) nested = box(['moov', 'trak', 'mdia', 'minf', 'stbl'][depth % 5] ?? '', nested)
    expect(whyNot(Buffer.concat([head, nested]))).toBe('broken')
    const empty = box('free')
    expect(whyNot(Buffer.concat([head, box('moov', Buffer.concat(Array<Buffer>(MIB).fill(empty)))]))).toBe('no_text')
    const from = Buffer.from(CLIP_MP4).indexOf('trak') - 4
    const track = Buffer.from(CLIP_MP4.slice(from, from + Buffer.from(CLIP_MP4).readUInt32BE(from)))
    const tracks = box('moov', Buffer.concat(Array<Buffer>(20_000).fill(track))) // of pictures
    expect(whyNot(Buffer.concat([head, tracks]))).toBe('no_text')
    expect(whyNot(Buffer.concat([head, box('moof'), box('mdat', Buffer.alloc(100))]))).toBe('broken')
  })

  it('[F2002] of WebM may lace nothing at all into its blocks, and claim any length', () => {
    const cluster = Buffer.from(CLIP_WEBM).indexOf('1f43b675', 'hex')
    const segment = Buffer.from(CLIP_WEBM).indexOf('18538067', 'hex')
    const head = CLIP_WEBM.slice(0, cluster)
    head.set([0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], segment + 4)
    const block = Buffer.from('a385' + '81' + '0000' + '04' + 'ff', 'hex') // 256 frames, equally long: of no byte
    const track = [0x81, 0x82].map((number) => {
      const own = Buffer.from(block)
      own[2] = number
      return whyNot(Buffer.concat([head, Buffer.from('1f43b67501ffffffffffffff', 'hex'), ...Array<Buffer>(100_000).fill(own)]))
    })
    expect(track.sort()).toEqual(['no_text', 'too_large']) // one of the two numbers is that of the sound
    for (const length of ['01fffffffffffffe', '0fffffff', '81', '80'])
      expect(whyNot(Buffer.concat([head, Buffer.from(`1f43b675${length}`, 'hex'), block]))).toMatch(/^(broken|no_text)$/)
  })

  it('[F2002] by chance is refused or read, and never more than it has', () => {
    const { below } = random('videos')
    for (const file of [CLIP_MP4, FRAGMENTS_MP4, CLIP_WEBM, CLIP_MKV, VORBIS_WEBM])
      for (let n = 0; n < 2000; n++) {
        const copy = new Uint8Array(file)
        for (let i = below(4); i >= 0; i--) copy[below(copy.length)] = [0, 1, 0x7f, 0x80, 0xff, below(256)][below(6)] ?? 0
        const sound = soundOfVideo(copy, MOST)
        if (sound.kind === 'sound') {
          expect(sound.recording.bytes.length).toBeLessThan(2 * MOST)
          expect(sound.secondsInFile(1)).toBeGreaterThanOrEqual(0)
        } else expect(sound.detail.length).toBeGreaterThan(10)
      }
  })
})
