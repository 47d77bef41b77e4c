/**
 * The objects of a PDF by their numbers, as far as pictures of pages need them: dictionaries, and streams as they lie in the file. pdf.js hands out pictures
 * unpacked alone, and a scan of one page is 26 MB then. Objects are found where they stand, as readers of broken files do; the last of a number holds.
 * What is not understood is null, and never thrown. What unpacks is bounded before (`streams.ts`).
 */
import { unzlibSync } from 'fflate'
import { find, findBack, latin } from './bytes'

const MAX_OBJECT = 64 * 1024 // bytes of a dictionary
const MAX_DEPTH = 32 // of values in each other
const MAX_UNPACKED = 128 * 1024 * 1024 // bytes of all: two thousand pages may have the same contents
const SPACE = /[\0\t\n\f\r ]/

export interface Reference {
  readonly number: number
}
/** Names begin with their `/`. Strings are null: no picture is named by one. */
export type Value = null | boolean | number | string | Reference | readonly Value[] | Dictionary
export interface Dictionary extends ReadonlyMap<string, Value> {}

export interface StreamObject {
  readonly dictionary: Dictionary
  /** As they lie in the file. */
  readonly bytes: Uint8Array
}

/** Where an object's text is: in the file, or unpacked out of an object stream that stands there. */
interface Place {
  readonly at: number
  readonly text?: string
}

export class PdfObjects {
  readonly #bytes: Uint8Array
  readonly #places = new Map<number, Place>()
  #room = MAX_UNPACKED
  readonly #opened = new Set<number>() // object streams, by where they are

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    for (let at = find(bytes, 'obj', 0); at >= 0; at = find(bytes, 'obj', at + 3)) {
      const [, number] = /(?:^|\D)(\d{1,10})\s+\d{1,5}\s+$/.exec(latin(bytes.subarray(Math.max(0, at - 20), at))) ?? []
      if (number !== undefined) this.#places.set(Number(number), { at: at + 3 })
    }
    for (let at = find(bytes, '/ObjStm', 0); at >= 0; at = find(bytes, '/ObjStm', at + 7)) this.#unpack(at)
  }

  /** What a reference refers to; any other value is itself. */
  resolve(value: Value | undefined): Value {
    let found = value ?? null
    for (let steps = 0; isReference(found) && steps < MAX_DEPTH; steps++) found = this.#parsed(found.number)?.value ?? null
    return isReference(found) ? null : found
  }

  dictionary(value: Value | undefined): Dictionary | null {
    const found = this.resolve(value)
    return found instanceof Map ? found : null
  }

  stream({ number }: Reference): StreamObject | null {
    const place = this.#places.get(number)
    const parsed = this.#parsed(number)
    if (!place || place.text !== undefined || !parsed || !(parsed.value instanceof Map)) return null
    return this.#streamAt(place.at + parsed.end, parsed.value)
  }

  #parsed(number: number): { readonly value: Value; readonly end: number } | null {
    const place = this.#places.get(number)
    if (!place) return null
    const near = this.#bytes.subarray(place.at, place.at + MAX_OBJECT)
    const end = find(near, 'endobj', 0)
    const parser = new Parser(place.text ?? latin(end < 0 ? near : near.subarray(0, end)))
    const value = parser.value()
    return { value, end: parser.at }
  }

  #streamAt(from: number, dictionary: Dictionary): StreamObject | null {
    const [, head = ''] = /^(\s*stream(?:\r\n|\n|\r))/.exec(latin(this.#bytes.subarray(from, from + 40))) ?? []
    if (head === '') return null
    const start = from + head.length
    const length = this.resolve(dictionary.get('/Length'))
    const isLength = typeof length === 'number' && /^\s*endstream/.test(latin(this.#bytes.subarray(start + length, start + length + 20)))
    const end = isLength ? start + length : find(this.#bytes, 'endstream', start)
    return { dictionary, bytes: this.#bytes.subarray(start, end < 0 ? this.#bytes.length : end) }
  }

  /** The objects of the object stream whose dictionary has this place in it. */
  #unpack(inside: number): void {
    const opened = findBack(this.#bytes, 'obj', inside, MAX_OBJECT)
    if (opened < 0 || this.#opened.has(opened)) return
    this.#opened.add(opened)
    const parser = new Parser(latin(this.#bytes.subarray(opened + 3, opened + 3 + MAX_OBJECT)))
    const dictionary = parser.value()
    if (!(dictionary instanceof Map)) return
    const stream = this.#streamAt(opened + 3 + parser.at, dictionary)
    const data = stream && this.unpacked(stream)
    const [count, first] = [this.resolve(dictionary.get('/N')), this.resolve(dictionary.get('/First'))]
    if (!data || typeof count !== 'number' || typeof first !== 'number') return
    const text = latin(data)
    const numbers = text.slice(0, first).trim().split(/\s+/).map(Number)
    for (let i = 0; i + 1 < Math.min(numbers.length, count * 2); i += 2) {
      const [number = 0, offset = 0] = [numbers[i], numbers[i + 1]]
      if ((this.#places.get(number)?.at ?? -1) < opened)
        this.#places.set(number, { at: opened, text: text.slice(first + offset, first + offset + MAX_OBJECT) })
    }
  }

  /** As it is written, with its number: what a PDF of it alone is made of. Null: there is none. */
  written(number: number): readonly (string | Uint8Array)[] | null {
    const place = this.#places.get(number)
    const parsed = this.#parsed(number)
    if (!place || !parsed) return null
    const text = place.text ?? latin(this.#bytes.subarray(place.at, place.at + parsed.end))
    const stream = this.stream({ number })
    const data = stream ? ['\nstream\n', stream.bytes, '\nendstream'] : []
    return [`${number} 0 obj `, text.slice(0, parsed.end), ...data, '\nendobj\n']
  }

  /** Null: it is packed in another way than is unpacked here. */
  unpacked({ dictionary, bytes }: StreamObject): Uint8Array | null {
    const filters = this.filtersOf(dictionary)
    if (filters.length === 0) return bytes
    if (filters.length > 1 || filters[0] !== '/FlateDecode' || dictionary.has('/DecodeParms')) return null
    try {
      if (this.#room < 0) return null
      const data = unzlibSync(bytes)
      this.#room -= data.length
      return data
    } catch {
      return null
    }
  }

  filtersOf(dictionary: Dictionary): readonly string[] {
    const named = this.resolve(dictionary.get('/Filter') ?? dictionary.get('/F'))
    const all = Array.isArray(named) ? named.map((one: Value) => this.resolve(one)) : [named]
    return all.filter((one) => typeof one === 'string')
  }
}

export const isReference = (value: Value | undefined): value is Reference =>
  typeof value === 'object' && value !== null && 'number' in value && !(value instanceof Map)

/** Reads one value after the other. At the end of the text, and where it is not understood, they are null. */
class Parser {
  at = 0

  constructor(private readonly text: string) {}

  value(depth = 0): Value {
    this.#skip()
    const rest = this.text[this.at] ?? ''
    if (depth > MAX_DEPTH) {
      this.at = this.text.length
      return null
    }
    if (this.text.startsWith('<<', this.at)) return this.#dictionary(depth)
    if (rest === '[') return this.#array(depth)
    if (rest === '(') return this.#string()
    if (rest === '<') {
      const end = this.text.indexOf('>', this.at)
      this.at = end < 0 ? this.text.length : end + 1
      return null
    }
    if (rest === '/') return this.#name()
    return this.#word()
  }

  #skip(): void {
    while (this.at < this.text.length) {
      if (this.text[this.at] === '%') {
        while (this.at < this.text.length && !/[\r\n]/.test(this.text[this.at] ?? '')) this.at++
      } else if (SPACE.test(this.text[this.at] ?? '')) this.at++
      else return
    }
  }

  #dictionary(depth: number): Value {
    const found = new Map<string, Value>()
    this.at += 2
    for (;;) {
      this.#skip()
      if (this.at >= this.text.length) return found
      if (this.text.startsWith('>>', this.at)) {
        this.at += 2
        return found
      }
      const before = this.at
      const name = this.value(depth + 1)
      if (typeof name === 'string') found.set(name, this.value(depth + 1))
      if (this.at === before) this.at++ // nothing that is known
    }
  }

  #array(depth: number): Value {
    const found: Value[] = []
    this.at++
    for (;;) {
      this.#skip()
      if (this.at >= this.text.length) return found
      if (this.text[this.at] === ']') {
        this.at++
        return found
      }
      const before = this.at
      found.push(this.value(depth + 1))
      if (this.at === before) this.at++
    }
  }

  #string(): null {
    let open = 0
    for (; this.at < this.text.length; this.at++) {
      const sign = this.text[this.at]
      if (sign === '\\') this.at++
      else if (sign === '(') open++
      else if (sign === ')' && --open === 0) break
    }
    this.at++
    return null
  }

  #name(): string {
    const [name = '/'] = /^\/[^\0\t\n\f\r ()<>[\]{}/%]*/.exec(this.text.slice(this.at, this.at + 256)) ?? []
    this.at += name.length
    return name.replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  }

  #word(): Value {
    const near = this.text.slice(this.at, this.at + 64)
    const [reference, number] = /^(\d{1,10})\s+\d{1,5}\s+R(?![A-Za-z0-9])/.exec(near) ?? []
    if (reference !== undefined) {
      this.at += reference.length
      return { number: Number(number) }
    }
    const [word = ''] = /^[^\0\t\n\f\r ()<>[\]{}/%]+/.exec(near) ?? []
    this.at += word.length
    if (word === 'true' || word === 'false') return word === 'true'
    return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(word) ? Number(word) : null
  }
}
