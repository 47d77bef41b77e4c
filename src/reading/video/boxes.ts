/** The boxes of MP4 and QuickTime (ISO/IEC 14496-12): each is visited once by who asks for it, and none reaches beyond the one that holds it. */
import { cutOff } from './packets'

const HEADER = 8 // bytes: its length and its name
const LONG = 16 // with a length of 64 bits

/** Where its content is. */
export interface Box {
  readonly name: string
  readonly start: number
  readonly end: number
}

export function* boxesIn(view: DataView, { start, end }: Omit<Box, 'name'>): Generator<Box> {
  for (let at = start; at + HEADER <= end; ) {
    const stated = view.getUint32(at)
    const header = stated === 1 ? LONG : HEADER
    const length = stated === 1 ? longAt(view, at + HEADER) : stated === 0 ? end - at : stated // 0: up to the end
    if (length < header || at + length > end) throw cutOff()
    yield { name: nameAt(view, at + 4), start: at + header, end: at + length }
    at += length
  }
}

/** The first of that name. */
export function boxIn(view: DataView, within: Omit<Box, 'name'> | undefined, name: string): Box | undefined {
  if (within) for (const box of boxesIn(view, within)) if (box.name === name) return box
  return undefined
}

/** A box inside of boxes. */
export const boxAt = (view: DataView, within: Omit<Box, 'name'> | undefined, ...path: readonly string[]): Box | undefined =>
  path.reduce<Omit<Box, 'name'> | undefined>((box, name) => boxIn(view, box, name), within) as Box | undefined

export const nameAt = (view: DataView, at: number): string =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3))

export const longAt = (view: DataView, at: number): number => Number(view.getBigUint64(at))

/** Rows of equal length behind their number. */
export interface Table {
  readonly at: number
  readonly count: number
}

/** Empty: there is none. It has no more rows than fit into its box, whatever it claims. */
export function tableIn(view: DataView, box: Box | undefined, row: number, before = 4): Table {
  if (!box) return { at: 0, count: 0 }
  const at = box.start + before + 4
  const count = view.getUint32(at - 4)
  if (at + count * row > box.end) throw cutOff()
  return { at, count }
}
