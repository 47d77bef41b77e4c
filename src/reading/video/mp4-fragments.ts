/** Where the packets of a track lie in an MP4 that was written in fragments, as browsers and OBS record: by the `moof` boxes along the file. */
import { type Box, boxesIn, boxIn, longAt, tableIn } from './boxes'
import type { Ticks } from './mp4-tables'
import type { Packets } from './packets'

interface Usual {
  readonly duration: number
  readonly size: number
}

/** `track`: its number. */
export function readFragments(view: DataView, moov: Box, track: number, { scale, start }: Ticks, packets: Packets): void {
  const usual = usualIn(view, boxIn(view, moov, 'mvex'), track)
  let tick = 0
  let from = 0
  for (const box of boxesIn(view, { start: 0, end: view.byteLength })) {
    const moof = from // its header is where the box before it ended
    from = box.end
    if (box.name !== 'moof') continue
    for (const traf of boxesIn(view, box)) if (traf.name === 'traf') readRuns(traf, moof)
  }

  function readRuns(traf: Box, moof: number): void {
    const tfhd = boxIn(view, traf, 'tfhd')
    if (!tfhd || view.getUint32(tfhd.start + 4) !== track) return
    const { base, ...own } = headOf(view, tfhd, usual)
    const tfdt = boxIn(view, traf, 'tfdt')
    if (tfdt) tick = view.getUint8(tfdt.start) === 1 ? longAt(view, tfdt.start + 4) : view.getUint32(tfdt.start + 4)
    let at = base ?? moof
    for (const trun of boxesIn(view, traf)) if (trun.name === 'trun') at = readRun(trun, base ?? moof, at, own)
  }

  /** Where the next one begins if it does not say so. */
  function readRun(trun: Box, base: number, next: number, own: Usual): number {
    const flags = view.getUint32(trun.start) & 0xffffff
    const has = (flag: number): number => (flags & flag ? 4 : 0)
    const row = has(0x100) + has(0x200) + has(0x400) + has(0x800)
    const { at: after, count } = tableIn(view, trun, row)
    const rows = after + has(0x1) + has(0x4)
    let at = has(0x1) ? base + view.getInt32(after) : next
    for (let n = 0; n < count; n++) {
      const duration = has(0x100) ? view.getUint32(rows + n * row) : own.duration
      const size = has(0x200) ? view.getUint32(rows + n * row + has(0x100)) : own.size
      packets.push(at, size, start + tick / scale)
      at += size
      tick += duration
    }
    return at
  }
}

function usualIn(view: DataView, mvex: Box | undefined, track: number): Usual {
  if (mvex)
    for (const { name, start } of boxesIn(view, mvex))
      if (name === 'trex' && view.getUint32(start + 4) === track)
        return { duration: view.getUint32(start + 12), size: view.getUint32(start + 16) }
  return { duration: 0, size: 0 }
}

/** What a fragment says of all its samples; `base`: from where places are counted, if not from the fragment's beginning. */
function headOf(view: DataView, { start }: Box, usual: Usual): Usual & { readonly base?: number } {
  const flags = view.getUint32(start) & 0xffffff
  let at = start + 8
  const next = (flag: number, length: number): number | undefined => {
    if (!(flags & flag)) return undefined
    at += length
    return length === 8 ? longAt(view, at - length) : view.getUint32(at - length)
  }
  const base = next(0x1, 8)
  next(0x2, 4)
  const duration = next(0x8, 4) ?? usual.duration
  const size = next(0x10, 4) ?? usual.size
  return { duration, size, ...(base === undefined ? {} : { base }) }
}
