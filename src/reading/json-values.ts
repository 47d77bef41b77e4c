/** Parses a stranger's JSON: each value costs the parser about a hundred bytes, however short it is, so values are counted first. */
import type { ReadBounds } from './bounds'
import { Unreadable } from './unreadable'

const MAX_DEPTH = 40 // levels of nesting
const MAX_VALUES = 300_000
const [QUOTE, COMMA, BRACKET, BRACE] = [0x22, 0x2c, 0x5b, 0x7b]

export function parseJson(json: string, fault: string, { isTrusted }: Pick<ReadBounds, 'isTrusted'>): unknown {
  const { depth, values } = sizeOf(json)
  if (depth > MAX_DEPTH) throw new Unreadable('broken', `JSON may be nested at most ${MAX_DEPTH} levels deep.`)
  if (values > MAX_VALUES && !isTrusted) throw new Unreadable('too_large', `JSON may have at most ${MAX_VALUES} values. Split it.`)
  try {
    return JSON.parse(json)
  } catch {
    throw new Unreadable('broken', fault)
  }
}

/** Brackets and commas outside strings. A string may be a picture of many megabytes: only its quotes are searched for. */
function sizeOf(json: string): { readonly depth: number; readonly values: number } {
  let [open, depth, values] = [0, 0, 0]
  for (let at = 0; at < json.length && depth <= MAX_DEPTH; at++) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = endOfString(json, at)
    else if (code === COMMA) values++
    else if (code === BRACE || code === BRACKET) {
      values++
      depth = Math.max(depth, ++open)
    } else if (code === BRACE + 2 || code === BRACKET + 2) open--
  }
  return { depth, values }
}

/** The position of its closing quote. */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let escapes = 0
    while (json[at - 1 - escapes] === '\\') escapes++
    if (escapes % 2 === 0) return at
  }
  return json.length
}
