/**
 * The objects of a PDF by their numbers, as far as pictures of pages need them: dictionaries, and streams as stored in the file. pdf.js
 * returns only unpacked pictures, and a one-page scan then takes 26 MB. Objects are found by searching the file, as readers of broken files
 * do; the last one with a number counts. Anything not understood is null; nothing is thrown. The unpacked size is bounded beforehand
 * (`streams.ts`).
 */
import { unzlibSync } from 'fflate'
import { find, findBack, latin } from './bytes'
import { type Dictionary, isReference, Parser, type Reference, type Value } from './values'

const MAX_OBJECT = 64 * 1024 // bytes of a dictionary
const MAX_STEPS = 32 // from reference to reference
const MAX_UNPACKED = 48 * 1024 * 1024 // bytes in all; a file that `streams.ts` accepts stays below if each is unpacked once
const MAX_WORK = 24 * 1024 * 1024 // characters of dictionaries read: a scan of 2,000 pages takes a tenth. A page may name one object a thousand times
const LOOKED = 16 // converting this many bytes to text costs as much as reading one
const KEPT = 1024 * 1024 // characters whose parsed values are cached

export interface StreamObject {
  readonly dictionary: Dictionary
  /** As stored in the file. */
  readonly bytes: Uint8Array
}

/** Where an object's text is: in the file, or in an unpacked object stream found at that position. */
interface Place {
  readonly at: number
  readonly text?: string
}

interface Parsed {
  readonly value: Value
  readonly end: number
  /** Its position in the file, once looked for; null: it has none. */
  stream?: StreamObject | null
}

export class PdfObjects {
  readonly #bytes: Uint8Array
  readonly #places = new Map<number, Place>()
  readonly #kept = new Map<number, Parsed>()
  #keptLength = 0
  #room = MAX_UNPACKED
  #work = MAX_WORK // left; at zero no further object is read
  readonly #opened = new Set<number>() // object streams, by position

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    for (let at = find(bytes, 'obj', 0); at >= 0; at = find(bytes, 'obj', at + 3)) {
      const [, number] = /(?:^|\D)(\d{1,10})\s+\d{1,5}\s+$/.exec(latin(bytes.subarray(Math.max(0, at - 20), at))) ?? []
      if (number !== undefined) this.#places.set(Number(number), { at: at + 3 })
    }
    for (let at = find(bytes, '/ObjStm', 0); at >= 0; at = find(bytes, '/ObjStm', at + 7)) this.#unpack(at)
  }

  /** Resolves a reference; any other value is returned unchanged. */
  resolve(value: Value | undefined): Value {
    let found = value ?? null
    for (let steps = 0; isReference(found) && steps < MAX_STEPS; steps++) found = this.#parsed(found.number)?.value ?? null
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
    if (parsed.stream === undefined && this.#work < 0) return null
    if (parsed.stream === undefined) parsed.stream = this.#streamAt(place.at + parsed.end, parsed.value)
    return parsed.stream
  }

  #parsed(number: number): Parsed | null {
    const known = this.#kept.get(number)
    if (known) return known
    const place = this.#places.get(number)
    if (!place || this.#work < 0) return null
    const near = this.#bytes.subarray(place.at, place.at + MAX_OBJECT)
    const end = find(near, 'endobj', 0)
    const text = place.text ?? latin(end < 0 ? near : near.subarray(0, end))
    const parser = new Parser(text)
    const parsed: Parsed = { value: parser.value(), end: parser.at }
    this.#work -= parser.at + text.length / LOOKED
    this.#keep(number, parsed)
    return parsed
  }

  #keep(number: number, parsed: Parsed): void {
    if (this.#keptLength + parsed.end > KEPT) {
      this.#kept.clear()
      this.#keptLength = 0
    }
    this.#kept.set(number, parsed)
    this.#keptLength += parsed.end
  }

  #streamAt(from: number, dictionary: Dictionary): StreamObject | null {
    const [, head = ''] = /^(\s*stream(?:\r\n|\n|\r))/.exec(latin(this.#bytes.subarray(from, from + 40))) ?? []
    if (head === '') return null
    const start = from + head.length
    const length = this.resolve(dictionary.get('/Length'))
    const isLength = typeof length === 'number' && /^\s*endstream/.test(latin(this.#bytes.subarray(start + length, start + length + 20)))
    const end = isLength ? start + length : find(this.#bytes, 'endstream', start)
    if (!isLength) this.#work -= (end < 0 ? this.#bytes.length : end) - start
    return { dictionary, bytes: this.#bytes.subarray(start, end < 0 ? this.#bytes.length : end) }
  }

  /** The objects of the object stream whose dictionary is at this position. */
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

  /** The object as written, with its number: used to build a PDF that contains nothing else. Null: it does not exist. */
  written(number: number): readonly (string | Uint8Array)[] | null {
    const place = this.#places.get(number)
    const parsed = this.#parsed(number)
    if (!place || !parsed) return null
    const text = place.text ?? latin(this.#bytes.subarray(place.at, place.at + parsed.end))
    const stream = this.stream({ number })
    const data = stream ? ['\nstream\n', stream.bytes, '\nendstream'] : []
    return [`${number} 0 obj `, text.slice(0, parsed.end), ...data, '\nendobj\n']
  }

  /** Null: it is packed in a way that is not unpacked here. */
  unpacked({ dictionary, bytes }: StreamObject): Uint8Array | null {
    const filters = this.filtersOf(dictionary)
    if (filters.length === 0) {
      this.#room -= bytes.length
      return this.#room < 0 ? null : bytes
    }
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
