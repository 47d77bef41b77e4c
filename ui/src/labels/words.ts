/** What a classification reports, in words that a reader knows. */

const WAYS: Readonly<Record<string, string>> = { steiner: 'tree', keywords: 'keywords', embedding: 'meaning', score: 'score alone' }

export const waysIn = (via: string): string =>
  via
    .split('+')
    .map((way) => WAYS[way.trim()] ?? way)
    .join(', ')

const LEAST = 3 // letters that a stem and its word share

/** A keyword is a stem (“charg twice”): the text's own words for it, where it has them. */
export function spelledOut(keyword: string, text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return keyword
    .split(' ')
    .map(
      (stem) => words.find((word) => word === stem) ?? words.find((word) => shared(word, stem) >= Math.max(LEAST, stem.length - 1)) ?? stem,
    )
    .join(' ')
}

/** The number of letters that both begin with. */
function shared(one: string, other: string): number {
  let many = 0
  while (many < one.length && one[many] === other[many]) many++
  return many
}
