/** The elements of EBML (RFC 8794), of which WebM and Matroska are made. */
const MAX_ID = 4 // bytes
const MAX_LENGTH = 8

/** Where its content is. `end` is infinite if it does not say: recorders write so. */
export interface Element {
  readonly id: number
  readonly start: number
  readonly end: number
}

/** Null: none is there. */
export function elementAt(bytes: Uint8Array, at: number): Element | null {
  const wide = widthAt(bytes, at)
  if (wide > MAX_ID) return null
  let id = 0
  for (let n = 0; n < wide; n++) id = id * 256 + (bytes[at + n] ?? 0)
  const length = numberAt(bytes, at + wide)
  if (!length) return null
  const start = at + wide + length.width
  return { id, start, end: length.value === null ? Number.POSITIVE_INFINITY : start + length.value }
}

/** What an element holds. The last may claim to be longer than that. */
export function* elementsIn(bytes: Uint8Array, { start, end }: Omit<Element, 'id'>): Generator<Element> {
  for (let at = start; at < Math.min(end, bytes.length); ) {
    const element = elementAt(bytes, at)
    if (!element) return
    yield { ...element, end: Math.min(element.end, end) }
    at = element.end
  }
}

/** The first of each of these ids that an element holds. */
export function partsIn(bytes: Uint8Array, element: Element | undefined, ids: readonly number[]): ReadonlyMap<number, Element> {
  const found = new Map<number, Element>()
  if (element) for (const one of elementsIn(bytes, element)) if (ids.includes(one.id) && !found.has(one.id)) found.set(one.id, one)
  return found
}

/** A number in as many bytes as its first one says; its value is null if all its bits are set, which is no number. Null: none is there. */
export function numberAt(bytes: Uint8Array, at: number): { readonly value: number | null; readonly width: number } | null {
  const width = widthAt(bytes, at)
  if (width > MAX_LENGTH || at + width > bytes.length) return null
  let value = (bytes[at] ?? 0) & (0xff >> width)
  let isFull = value === 0xff >> width
  for (let n = 1; n < width; n++) {
    const byte = bytes[at + n] ?? 0
    value = value * 256 + byte
    isFull &&= byte === 0xff
  }
  return { value: isFull ? null : value, width }
}

const widthAt = (bytes: Uint8Array, at: number): number => Math.clz32(bytes[at] ?? 0) - 23

export function wholeIn(bytes: Uint8Array, { start, end }: Element): number {
  let value = 0
  for (let at = start; at < Math.min(end, start + MAX_LENGTH); at++) value = value * 256 + (bytes[at] ?? 0)
  return value
}

export function floatIn(bytes: Uint8Array, { start, end }: Element): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, end - start)
  return end - start === 8 ? view.getFloat64(0) : end - start === 4 ? view.getFloat32(0) : 0
}
