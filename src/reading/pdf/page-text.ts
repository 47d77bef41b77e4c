/**
 * What a PDF's pages say, without what only sets them on paper: characters that no font draws, rows of dots to a page number, hyphens
 * at the end of a line, and the ends of lines in a narrow column. All pages together show whether a word is written with its hyphen: "well-"
 * and "known" are joined as the rest of the document writes them.
 */
import { wrapped } from '../../core/text/sentences'
import { withoutContents } from './contents'
import { withoutRunningLines } from './running-lines'

const UNDRAWN = /(?![\t\n\r])\p{Cc}|\u00ad/gu // soft hyphens too
const LEADERS = /(?:[ \t]?[.·…]){6,}[ \t]*/g
const WORD = /[\p{L}\p{M}]{2,}(?:-[\p{L}\p{M}]{2,})*/gu
/** The word before the hyphen, with its own hyphens, and what continues it. */
const DIVIDED = /(?<![\p{L}\p{M}-])([\p{L}\p{M}-]{0,60}[\p{L}\p{M}]{2})[-‐]\n(\p{Ll}[\p{L}\p{M}]+)(\S*)(?:\s|$)/gu

/** Of a page's lines, three quarters are no longer than its width; a page with shorter lines has columns. */
const columns = { share: 0.75, width: 60, full: 0.7, line: 20 } as const
/** "1.2.4 Solving Systems of Linear Equations": long enough to be taken for a line of the sentence under it. */
const SECTION = /^(\d{1,2}(?:\.\d{1,2}){1,4}\.?[ \t]+[\p{Lu}\p{Lo}][^.!?:;\n]{1,100})\n(?!\n)/gmu
const ENDS = /[.!?:;…。][\p{Pe}\p{Pf}"']*$/u
const GOES_ON = /^[\p{Ps}\p{Pi}"']?\p{Ll}/u

export function pageTexts(pages: readonly string[]): readonly string[] {
  const drawn = withoutRunningLines(pages.map((page) => page.replace(UNDRAWN, '').replace(LEADERS, ' … ')))
  return undivided(withoutContents(drawn)).map((page) => unwrapped(page).replace(SECTION, '$1\n\n'))
}

/** A sentence goes over lines of a column that are too short to be recognised as wrapped by themselves. */
function unwrapped(page: string): string {
  const lines = page.split('\n')
  const widths = lines.map(({ length }) => length).sort((a, b) => a - b)
  const width = widths[Math.floor(widths.length * columns.share)] ?? 0
  if (width > columns.width) return page
  return lines.reduce((text, line, at) => {
    const before = lines[at - 1]
    if (before === undefined) return line
    const isFull = before.length < wrapped.min && before.length >= Math.max(columns.line, width * columns.full)
    return `${text}${isFull && !ENDS.test(before) && GOES_ON.test(line) ? ' ' : '\n'}${line}`
  }, '')
}

function undivided(plain: readonly string[]): readonly string[] {
  if (!plain.some((page) => page.search(DIVIDED) >= 0)) return plain
  const words = new Set(plain.flatMap((page) => page.replace(DIVIDED, ' ').match(WORD) ?? []).map((word) => word.toLowerCase()))
  return plain.map((page) =>
    page.replace(DIVIDED, (_, first: string, rest: string, after: string) => {
      const hasHyphen = words.has(`${first}-${rest}`.toLowerCase()) && !words.has(first.toLowerCase() + rest)
      return `${first}${hasHyphen ? '-' : ''}${rest}${after}\n`
    }),
  )
}
