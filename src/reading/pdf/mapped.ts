/** How many characters a font's table maps: a range given by two numbers may span four billion. */

const RANGES = /begin(?:bf|cid|notdef)range([\s\S]*?)(?:end(?:bf|cid|notdef)range|$)/g
/** From, to, and what they are mapped to: the first character, each in a list, or a number. */
const RANGE = /<([0-9a-f\s]*)>\s*<([0-9a-f\s]*)>\s*(?:<[0-9a-f\s]*>|\[[^\]]*\]|\d+)?/gi
/** Comments, strings in brackets, other letters in a number: no program writes them there, a reader accepts them, and they hide a range. */
const HIDING = /[^0-9a-f\s<>[\]]/i
const DIGITS = 8 // hexadecimal ones of a code: a reader counts with 32 bits

/** What single codes are mapped to, and which codes there may be, are no ranges. Infinity: it cannot be told. */
export function mappedBy(table: string): number {
  let sum = 0
  for (const [, own = ''] of table.matchAll(RANGES)) {
    if (HIDING.test(own)) return Number.POSITIVE_INFINITY
    for (const [, low = '', high = ''] of own.matchAll(RANGE)) sum += Math.max(0, codeOf(high) - codeOf(low)) + 1
  }
  return sum
}

/** A digit that is missing at the end is 0. */
function codeOf(written: string): number {
  const digits = written.replace(/\s/g, '')
  return Number.parseInt((digits.length % 2 === 0 ? digits : `${digits}0`).slice(-DIGITS), 16) || 0
}
