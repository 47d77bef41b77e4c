/** Numbers written as words, with a scale and with a unit: "three", "twenty-five", "1.2 billion", "$75,000", "eleven percent". Pure. */
import type { Rules } from './grammar/languages'
import { unitOf } from './units'
import type { Quantity, Word } from './word'

const TOLERANCE = 0.05 // of its value, for a number called approximate
const EXACT = 0.0006 // a third is 0.3333
const COMPOUND_DE = /^(.+?)und(.+)$/

/** The same words, with each number as one word that has its value and unit. */
export function quantified(words: readonly Word[], rules: Rules): Word[] {
  const out: Word[] = []
  for (let i = 0; i < words.length; ) {
    const read = numberAt(words, i, rules)
    const first = words[i]
    if (!read || !first) {
      if (first) out.push(first)
      i++
      continue
    }
    const currency = before(out)
    if (currency) out.pop()
    const [unit, used] = unitAfter(words, read.end)
    const known = read.quantity.unit ?? unit ?? currency
    const approximate = isApproximate(out)
    const { text, low } = first
    out.push({
      kind: 'number',
      text,
      low,
      key: low,
      capital: false,
      first: first.first,
      quantity: { values: read.quantity.values, ...(known ? { unit: known } : {}), ...(approximate ? { approximate } : {}) },
    })
    i = read.quantity.unit || !unit ? read.end : read.end + used
  }
  return out
}

interface Read {
  readonly quantity: Quantity
  /** Place after it. */
  readonly end: number
}

function numberAt(words: readonly Word[], at: number, rules: Rules): Read | undefined {
  const word = words[at]
  if (!word) return undefined
  if (word.kind === 'number' && word.quantity) return scaled(words, at + 1, word.quantity, rules)
  const low = word.low
  const part = word.kind === 'content' ? rules.parts.get(low) : undefined
  if (part !== undefined) return { quantity: { values: [part], unit: { of: 'part', factor: 1 } }, end: at + 1 }
  const times = rules.times.get(low)
  if (times !== undefined) return { quantity: { values: [times], unit: { of: 'times', factor: 1 } }, end: at + 1 }
  const spelled = spelledAt(words, at, rules)
  if (spelled) return scaled(words, spelled.end, { values: [spelled.value] }, rules)
  // "a million", "hundreds of": a scale alone.
  const scale = low.length > 2 ? rules.scales.get(low) : undefined
  return scale === undefined ? undefined : { quantity: { values: [scale] }, end: at + 1 }
}

interface Spelled {
  readonly value: number
  readonly end: number
}

function spelledAt(words: readonly Word[], at: number, rules: Rules): Spelled | undefined {
  const { numbers, grammar } = rules
  const low = words[at]?.low ?? ''
  const value = numbers.get(low) ?? (grammar.language === 'de' ? germanNumber(low, rules) : undefined)
  if (value === undefined) return undefined
  const next = isJoint(words[at + 1]?.low, value, rules) ? numbers.get(words[at + 2]?.low ?? '') : undefined
  if (next === undefined || value < 4) return { value, end: at + 1 }
  if (value === 4 && next === 20) return fourTwenties(words, at, rules)
  return next < 20 ? { value: value + next, end: at + 3 } : { value, end: at + 1 }
}

/** "fünfundzwanzig" */
function germanNumber(low: string, { numbers }: Rules): number | undefined {
  const [, first = '', second = ''] = COMPOUND_DE.exec(low) ?? []
  const [ones, tens] = [first === 'ein' ? 1 : numbers.get(first), numbers.get(second)]
  return ones === undefined || tens === undefined ? undefined : ones + tens
}

/** "twenty-five", "treinta y cinco", "vingt et un" */
function isJoint(low: string | undefined, value: number, { grammar }: Rules): boolean {
  return low === '-' || (low === 'y' && grammar.language === 'es') || (low === 'et' && value >= 20)
}

/** "quatre-vingt-dix" */
function fourTwenties(words: readonly Word[], at: number, { numbers }: Rules): Spelled {
  const rest = words[at + 3]?.low === '-' ? numbers.get(words[at + 4]?.low ?? '') : undefined
  return rest === undefined ? { value: 80, end: at + 3 } : { value: 80 + rest, end: at + 5 }
}

function scaled(words: readonly Word[], at: number, quantity: Quantity, rules: Rules): Read {
  let { values } = quantity
  let end = at
  for (let scale = scaleAt(words, end, rules); scale !== undefined; scale = scaleAt(words, end, rules)) {
    const factor = scale
    values = values.map((value) => value * factor)
    end++
  }
  return { quantity: { ...quantity, values }, end }
}

/** "5 m" is five metres; the longer words are unambiguous. */
function scaleAt(words: readonly Word[], at: number, { scales }: Rules): number | undefined {
  const low = words[at]?.low ?? ''
  return low.length > 1 || low === 'k' ? scales.get(low) : undefined
}

function before(out: readonly Word[]): ReturnType<typeof unitOf> {
  const word = out.at(-1)
  return word && /^[€$£¥]$/.test(word.text) ? unitOf(word.text) : undefined
}

/** The unit and how many words it takes. */
function unitAfter(words: readonly Word[], at: number): readonly [ReturnType<typeof unitOf>, number] {
  const skip = words[at]?.text === '-' || words[at]?.low === 'de' || words[at]?.low === 'd' ? 1 : 0
  const word = words[at + skip]
  if (!word || word.kind === 'sign') return [undefined, 0]
  const low = word.low
  const next = words[at + skip + 1]?.low
  if (skip === 0 && ((low === 'per' && next === 'cent') || (low === 'pour' && next === 'cent') || (low === 'por' && next === 'ciento'))) {
    return [unitOf('%'), 2]
  }
  if (/^(?:square|carrés?|cuadrados?)$/.test(low)) return squared(words[at + skip + 1]?.low, skip + 2)
  const unit = unitOf(low)
  if (unit?.of === 'length' && /^(?:carrés?|cuadrados?)$/.test(next ?? '')) return squared(low, skip + 2)
  return unit ? [unit, skip + 1] : [undefined, 0]
}

function squared(low: string | undefined, used: number): readonly [ReturnType<typeof unitOf>, number] {
  const unit = low === undefined ? undefined : unitOf(low)
  return unit?.of === 'length' ? [{ of: 'area', factor: unit.factor ** 2 }, used] : [undefined, 0]
}

function isApproximate(out: readonly Word[]): boolean {
  const word = out.at(-1)
  return word?.role === 'approximate' || word?.low === 'about' || word?.low === 'around'
}

/** Do two amounts agree? An amount without a unit agrees with one in any unit. */
export function amountsAgree(claimed: Quantity, said: Quantity): boolean {
  const [a, b] = [claimed.unit, said.unit]
  if (a && b && a.of !== b.of) return false
  const [left, right] = [a && b ? a.factor : 1, a && b ? b.factor : 1]
  const tolerance = claimed.approximate ? TOLERANCE : EXACT
  return claimed.values.some((one) => said.values.some((other) => near(one * left, other * right, tolerance)))
}

function near(a: number, b: number, tolerance: number): boolean {
  return a === b || Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b))
}
