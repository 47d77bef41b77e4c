/** The values in a PDF: the entries of a dictionary, as far as pictures of pages need them. Anything not understood is null; nothing is thrown. */

const MAX_DEPTH = 32 // of nested values
const SPACE = /[\0\t\n\f\r ]/

export interface Reference {
  readonly number: number
}
/** Names begin with their `/`. Strings are null: no string names a picture. */
export type Value = null | boolean | number | string | Reference | readonly Value[] | Dictionary
export interface Dictionary extends ReadonlyMap<string, Value> {}

export const isReference = (value: Value | undefined): value is Reference =>
  typeof value === 'object' && value !== null && 'number' in value && !(value instanceof Map)

/** Reads one value after another. At the end of the text, and where it is not understood, they are null. */
export class Parser {
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
      if (this.at === before) this.at++ // nothing known
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
