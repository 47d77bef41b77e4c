/** How many characters a font's table maps: a range given by two numbers may span four billion. */

const PAIR = /<\s*([0-9a-f\s]{1,16})>\s*<\s*([0-9a-f\s]{1,16})>/gi
/** `<low> <high>`, and what the range is mapped to: `<first>`, `[<each> …]`, or a number. */
const RANGE = /<\s*([0-9a-f\s]{1,16})>\s*<\s*([0-9a-f\s]{1,16})>(?:\s*(?:<[0-9a-f\s]*>|\[[0-9a-f\s<>]*\]))?/gi
const SINGLE = /beginbfchar[0-9a-f\s<>]*endbfchar/gi // characters one by one: `<code> <character>`, the second several units for a ligature

export function mappedBy(table: string): number {
  if (!/begin(bf|cid|notdef)range/.test(table)) return 0
  const plain = withoutWords(table)
  return plain === null ? spans(table, PAIR) : spans(plain.replace(SINGLE, ' '), RANGE)
}

/**
 * Without comments and strings in brackets. Null: where they begin or end is not certain. Then any two numbers side by side may be a range,
 * since one may be hidden from us between them.
 */
function withoutWords(table: string): string | null {
  const plain = table.replace(/\([^()\\\r\n%]*\)/g, ' ').replace(/^[ \t]*%.*$/gm, ' ')
  return /[(%]/.test(plain) ? null : plain
}

function spans(table: string, ranges: RegExp): number {
  let sum = 0
  for (const [, low = '', high = ''] of table.matchAll(ranges)) {
    const span = Number.parseInt(high.replace(/\s/g, ''), 16) - Number.parseInt(low.replace(/\s/g, ''), 16)
    if (span > 0 && span < 2 ** 32) sum += span
  }
  return sum
}
