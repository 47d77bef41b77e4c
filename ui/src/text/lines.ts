/** Lines that were broken only by the width of a page. */
const FULL = 0.7 // of the longest line: a line that reaches this far was broken at the page's edge
const ENDED = /[.:!?;…。！？-]["'”’)\]]?$/u
const BEGINS = /^(?:[-–•*]|\d+[.)])\s/u // a list goes on

/** The same letters in the same places, with a space where a sentence continues in the next line. */
export function joinLines(page: string): string {
  const lines = page.split('\n')
  const width = Math.max(...lines.map(({ length }) => length))
  const goesOn = (line: string, next: string): boolean =>
    line.length >= FULL * width && next.trim() !== '' && !ENDED.test(line.trimEnd()) && !BEGINS.test(next)
  return lines.map((line, i) => line + (i + 1 === lines.length ? '' : goesOn(line, lines[i + 1] ?? '') ? ' ' : '\n')).join('')
}
