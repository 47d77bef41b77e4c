/** A row of a Markdown table as words: what its first cell names, then the other cells ("Pro: 30 days"). */
const ROW = /^\s*\|(?<cells>.*)\|\s*$/u
const CELL = /(?:\\\||[^|])+/gu

/** A text that is no row, or only the rule below a head, stays as it is. */
export function rowInWords(text: string): string {
  const written = ROW.exec(text)?.groups?.cells
  if (written === undefined || /^[\s:|-]*$/u.test(written)) return text
  const cells = [...written.matchAll(CELL)].map(([cell]) => cell.replaceAll('\\|', '|').trim()).filter((cell) => cell !== '')
  const [first = '', ...others] = cells
  return others.length === 0 ? first : `${first}: ${others.join(', ')}`
}
