/**
 * What a PDF's pages say, without what only sets them on paper: characters that no font draws, rows of dots to a page number, and hyphens
 * at the end of a line. All pages together show whether a word is written with its hyphen: "well-" and "known" are joined as the rest of
 * the document writes them.
 */

const UNDRAWN = /(?![\t\n\r])\p{Cc}|\u00ad/gu // soft hyphens too
const LEADERS = /(?:[ \t]?[.·…]){6,}[ \t]*/g
const WORD = /[\p{L}\p{M}]{2,}(?:-[\p{L}\p{M}]{2,})*/gu
/** The word before the hyphen, with its own hyphens, and what continues it. */
const DIVIDED = /([\p{L}\p{M}-]*[\p{L}\p{M}]{2,})[-‐]\n(\p{Ll}[\p{L}\p{M}]+)/gu

export function pageTexts(pages: readonly string[]): readonly string[] {
  const plain = pages.map((page) => page.replace(UNDRAWN, '').replace(LEADERS, ' … '))
  if (!plain.some((page) => page.search(DIVIDED) >= 0)) return plain
  const words = new Set(plain.flatMap((page) => page.replace(DIVIDED, ' ').match(WORD) ?? []).map((word) => word.toLowerCase()))
  return plain.map((page) =>
    page.replace(DIVIDED, (_, first: string, rest: string) => {
      const hasHyphen = words.has(`${first}-${rest}`.toLowerCase()) && !words.has(first.toLowerCase() + rest)
      return `${first}${hasHyphen ? '-' : ''}${rest}\n`
    }),
  )
}
