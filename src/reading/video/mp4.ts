/**
 * The sound of an MP4 or QuickTime file, bounded by the file whatever it claims: tables are read once, row by row, and no list is made as long as a number
 * in the file says (ARCHITECTURE.md says why no library does this).
 */
import { type Box, boxAt, boxesIn, boxIn, longAt, nameAt, tableIn } from './boxes'
import { type Entry, entryOf } from './mp4-entry'
import { readFragments } from './mp4-fragments'
import { readTables, type Ticks } from './mp4-tables'
import { cutOff, Packets, type SoundFormat, type SoundTrack } from './packets'

/** The first track of sound that is read; else why there is none. */
export function soundOfMp4(file: Uint8Array, most: number): SoundTrack | 'silent' | 'encrypted' | 'unknown' {
  const view = new DataView(file.buffer, file.byteOffset, file.length)
  const moov = boxIn(view, { start: 0, end: file.length }, 'moov')
  if (!moov) throw cutOff()
  let why: 'silent' | 'encrypted' | 'unknown' = 'silent'
  for (const trak of boxesIn(view, moov)) {
    const entry = trak.name === 'trak' ? entryIn(view, trak) : undefined
    if (typeof entry === 'object' && entry) return { ...entry, packets: packetsOf(file, view, { moov, trak, most }) }
    if (entry !== undefined && why !== 'encrypted') why = entry ?? 'unknown'
  }
  return why
}

/** Undefined: it is no sound. */
function entryIn(view: DataView, trak: Box): Exclude<Entry, SoundFormat> | SoundFormat | undefined {
  const mdia = boxIn(view, trak, 'mdia')
  const hdlr = boxIn(view, mdia, 'hdlr')
  if (!hdlr || nameAt(view, hdlr.start + 8) !== 'soun') return undefined
  const stsd = boxAt(view, mdia, 'minf', 'stbl', 'stsd')
  return stsd ? entryOf(view, stsd) : null
}

interface Place {
  readonly moov: Box
  readonly trak: Box
  readonly most: number
}

function packetsOf(file: Uint8Array, view: DataView, { moov, trak, most }: Place): Packets {
  const packets = new Packets(file, most)
  const scale = scaleIn(view, boxAt(view, trak, 'mdia', 'mdhd'))
  const start = startOf(view, boxAt(view, trak, 'edts', 'elst'), { scale, movie: scaleIn(view, boxIn(view, moov, 'mvhd')) })
  const ticks: Ticks = { scale, start }
  const stbl = boxAt(view, trak, 'mdia', 'minf', 'stbl')
  if (stbl) readTables(view, stbl, ticks, packets)
  const tkhd = boxIn(view, trak, 'tkhd')
  const number = tkhd && view.getUint32(tkhd.start + (isLong(view, tkhd) ? 20 : 12))
  if (number !== undefined && boxIn(view, moov, 'mvex')) readFragments(view, moov, number, ticks, packets)
  return packets
}

const isLong = (view: DataView, box: Box): boolean => view.getUint8(box.start) === 1

/** Of `mvhd` and `mdhd`: ticks a second. */
function scaleIn(view: DataView, box: Box | undefined): number {
  const scale = box ? view.getUint32(box.start + (isLong(view, box) ? 20 : 12)) : 0
  if (scale === 0) throw cutOff()
  return scale
}

/** When the track's first tick is: a list of edits may begin with silence, and leave out a beginning. */
function startOf(view: DataView, elst: Box | undefined, { scale, movie }: { readonly scale: number; readonly movie: number }): number {
  if (!elst) return 0
  const wide = isLong(view, elst)
  const { at, count } = tableIn(view, elst, wide ? 20 : 12)
  let silence = 0
  for (let n = 0; n < count; n++) {
    const row = at + n * (wide ? 20 : 12)
    const time = wide ? view.getBigInt64(row + 8) : BigInt(view.getInt32(row + 4))
    if (time >= 0n) return silence - Number(time) / scale
    silence += (wide ? longAt(view, row) : view.getUint32(row)) / movie
  }
  return silence
}
