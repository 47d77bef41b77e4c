/**
 * What a PDF would unpack to, computed before a trusting reader sees it: kilobytes can expand to gigabytes, and an isolate has 128 MB.
 * Streams are unpacked one part at a time and counted; nothing is kept. If a dictionary is not understood, the stream is refused rather
 * than guessed at.
 */
import { Inflate, Unzlib } from 'fflate'
import { find, findBack, latin } from './bytes'
import { mappedBy } from './mapped'

const MAX_PICTURE = 32 * 1024 * 1024 // unpacked bytes of one: a full page in full colour
const MAX_STREAM = 12 * 1024 * 1024 // of any other stream, which a reader holds whole along with its result: a font of all Chinese characters
const MAX_TEXTUAL = 32 * 1024 * 1024 // of everything but pictures: contents, fonts, tables
const MAX_PICTURES = 256 * 1024 * 1024 // a text reader does not unpack pictures, but a stream may falsely claim to be one
const MAX_MAPPED = 1_000_000 // characters that fonts' tables map; a Chinese font has 30,000
const MAX_OBJECTS = 20_000 // whose bookmarks are listed: a kilobyte each
const MAX_PACKED = 4 * 1024 * 1024 // bytes of their object streams
const MAX_TABLE = 2 * 1024 * 1024 // bytes of a table that is parsed
const MAX_STRING = 256 * 1024 // bytes of one: a reader creates an object for each character. Programs write some thousand
const MAX_DICTIONARY = 64 * 1024 // bytes before a stream
const STEP = 16 * 1024 // bytes given to the unpacker at a time

export type PdfFault = 'encrypted' | 'unreadable' | 'too_large'

class Exceeded extends Error {}

export interface Examined {
  /** Why it may not be read. Null: it may. */
  readonly fault: PdfFault | null
  /** A reader that lists its bookmarks creates few things: each is an object of its own. */
  readonly hasFewObjects: boolean
}

export function examine(bytes: Uint8Array): Examined {
  const packed = { count: 0, bytes: 0 }
  const fault = faultOf(bytes, packed)
  return { fault, hasFewObjects: fault === null && packed.bytes <= MAX_PACKED && packed.count + objectsIn(bytes) <= MAX_OBJECTS }
}

interface Packed {
  /** Objects in object streams, and the bytes these unpack to. */
  count: number
  bytes: number
}

function faultOf(bytes: Uint8Array, packed: Packed): PdfFault | null {
  if (find(bytes, '%PDF-', 0) < 0) return 'unreadable'
  if (isEncrypted(bytes)) return 'encrypted'
  let [textual, pictures, mapped] = [0, 0, 0]
  try {
    for (const { dictionary, start, end } of streamsOf(bytes)) {
      const filters = filtersOf(dictionary)
      const isPicture = /\/Subtype\s*\/Image\b/.test(dictionary)
      if (filters === null || (!isPicture && filters.filter(expands).length > 1)) return 'unreadable'
      const left = isPicture ? MAX_PICTURES - pictures : MAX_TEXTUAL - textual
      const max = Math.min(isPicture ? MAX_PICTURE : MAX_STREAM, left)
      const strings = isPicture ? undefined : new Strings()
      const { length, head } = unpacked(bytes.subarray(start), { filters, end: end - start, max, strings })
      if (isPicture) pictures += length
      else textual += length
      mapped += mappedBy(head)
      if (/\/ObjStm\b/.test(dictionary)) {
        packed.count += Number(/\/N\s+(\d+)(?!\d|\s+\d+\s+R)/.exec(dictionary)?.[1] ?? Number.POSITIVE_INFINITY)
        packed.bytes += length
      }
      if (mapped > MAX_MAPPED) return 'too_large'
    }
    return null
  } catch (error) {
    if (error instanceof Exceeded) return 'too_large'
    throw error
  }
}

/** At least as many as the file has outside its object streams. */
function objectsIn(bytes: Uint8Array): number {
  let count = 0
  for (let at = find(bytes, 'obj', 0); at >= 0; at = find(bytes, 'obj', at + 3)) count++
  return count / 2 // each ends with `endobj`
}

/** As a reference, as trailers have it; the bare word may occur in a text. */
function isEncrypted(bytes: Uint8Array): boolean {
  for (let at = find(bytes, '/Encrypt', 0); at >= 0; at = find(bytes, '/Encrypt', at + 1)) {
    if (/^\/Encrypt\s*(\d+\s+\d+\s+R|<<)/.test(latin(bytes.subarray(at, at + 60)))) return true
  }
  return false
}

interface Stream {
  readonly dictionary: string
  readonly start: number
  /** The earliest position at which it can end. */
  readonly end: number
}

function* streamsOf(bytes: Uint8Array): Generator<Stream> {
  for (let at = find(bytes, 'stream', 0); at >= 0; at = find(bytes, 'stream', at + 6)) {
    if (latin(bytes.subarray(at - 3, at)) === 'end') continue
    const opened = findBack(bytes, 'obj', at, MAX_DICTIONARY)
    const before = opened < 0 ? '' : latin(bytes.subarray(opened, at))
    if (!/>>\s*$/.test(before)) continue // the word occurs in a text
    const start = at + 6 + (bytes[at + 6] === 0x0d ? 1 : 0) + (bytes[at + 6] === 0x0a || bytes[at + 7] === 0x0a ? 1 : 0)
    const end = find(bytes, 'endstream', start)
    yield { dictionary: named(before), start, end: end < 0 ? bytes.length : end }
  }
}

/** `/Fl#61teDecode` is `/FlateDecode`. */
const named = (text: string): string =>
  text.replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** Null: they are given elsewhere, or in an unknown form. */
function filtersOf(dictionary: string): readonly string[] | null {
  const own = outermost(dictionary)
  const named = /\/(?:Filter|F)\s*(\[[^\]]{0,200}\]|\/\w+)/.exec(own)?.[1]
  if (named === undefined) return /\/(Filter|F)\b/.test(own) ? null : []
  return /\d+\s+\d+\s+R/.test(named) ? null : [...named.matchAll(/\/(\w+)/g)].map(([, name = '']) => name)
}

/** Without strings and nested dictionaries: a font may be called `/F`. */
function outermost(dictionary: string): string {
  let own = dictionary.replace(/\((?:[^()\\]|\\.)*\)/gs, ' ').replace(/<[0-9a-f\s]*>(?!>)/gi, ' ')
  for (let before = ''; before !== own; ) {
    before = own
    own = own.replace(/(<<.*)<<[^<>]*>>/s, '$1 ')
  }
  return own
}

const FLATE: ReadonlySet<string> = new Set(['FlateDecode', 'Fl'])
const LZW: ReadonlySet<string> = new Set(['LZWDecode', 'LZW'])
const RUNS: ReadonlySet<string> = new Set(['RunLengthDecode', 'RL'])
const expands = (filter: string): boolean => FLATE.has(filter) || LZW.has(filter) || RUNS.has(filter)

interface Unpacked {
  readonly length: number
  /** Its beginning, if it is short enough to be a table. */
  readonly head: string
}

interface Unpacking {
  readonly filters: readonly string[]
  readonly end: number
  readonly max: number
  /** Absent: it is a picture. */
  readonly strings: Strings | undefined
}

/** `(…)` and `<…>`, however they are split across chunks. In a font, such bytes are not strings, and only chance makes them long. */
class Strings {
  #close = 0
  #length = 0

  take(part: Uint8Array): void {
    for (const byte of part) {
      if (this.#close === 0) {
        if (byte === 0x28 || byte === 0x3c) [this.#close, this.#length] = [byte === 0x28 ? 0x29 : 0x3e, 0]
      } else if (byte === this.#close) this.#close = 0
      else if (++this.#length > MAX_STRING) throw new Exceeded()
    }
  }
}

function unpacked(data: Uint8Array, { filters, end, max, strings }: Unpacking): Unpacked {
  const [first = ''] = filters
  if (FLATE.has(first) || isZlib(data)) return inflated(data, max, strings)
  // Only inflated data marks its own end. With the other filters, one byte becomes a bounded number of bytes.
  const factor = filters.some((filter) => FLATE.has(filter) || LZW.has(filter)) ? 1365 : filters.some((filter) => RUNS.has(filter)) ? 64 : 1
  if (end * factor > max && (factor > 1 || strings)) throw new Exceeded()
  if (filters.length === 0) strings?.take(data.subarray(0, end))
  return { length: end * factor, head: filters.length === 0 && end <= MAX_TABLE ? latin(data.subarray(0, end)) : '' }
}

/** Whatever is declared: anything that begins like this is read as one. */
function isZlib(data: Uint8Array): boolean {
  const [first = 0, second = 0] = data
  return (first & 15) === 8 && ((first << 8) | second) % 31 === 0
}

function inflated(data: Uint8Array, max: number, strings: Strings | undefined): Unpacked {
  let length = 0
  let heads: Uint8Array[] = []
  const take = (part: Uint8Array): void => {
    length += part.length
    if (length > max) throw new Exceeded()
    strings?.take(part)
    if (length > MAX_TABLE) heads = []
    else heads.push(part.slice())
  }
  const unpacker = isZlib(data) ? new Unzlib(take) : new Inflate(take)
  try {
    for (let at = 0; at < data.length; at += STEP) {
      const before = length
      unpacker.push(data.slice(at, at + STEP))
      if (length === before && at > 0) break // the stream has ended, whatever follows
    }
  } catch (error) {
    if (error instanceof Exceeded) throw error
    // Truncated: a reader gets no further either.
  }
  return { length, head: heads.map(latin).join('') }
}
