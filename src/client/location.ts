/** Where a citation or a piece of evidence is, in a few words for people: “page 7 · Prices › 2024 · A2:D21”. */
import type { Citation } from '../contract/questions'

export type Located = Pick<Citation, 'page' | 'slide' | 'section' | 'cells' | 'line' | 'seconds' | 'described'>

/** Empty where nothing is known. */
export function formatLocation({ page, slide, section = [], cells, line, seconds, described }: Located): string {
  const parts = [
    page === undefined ? '' : `page ${page}`,
    slide === undefined ? '' : `slide ${slide}`,
    section.join(' › '),
    cells === undefined ? '' : /^\d+$/.test(cells) ? `cell ${cells}` : cells,
    line === undefined ? '' : `line ${line}`,
    seconds === undefined ? '' : clock(seconds),
    described ? saidBy(page, seconds) : '',
  ]
  return parts.filter((part) => part !== '').join(' · ')
}

function saidBy(page: number | undefined, seconds: number | undefined): string {
  if (seconds !== undefined) return 'a recording, transcribed by a model'
  return page === undefined ? 'a picture, read by a model' : 'a scan, read by a model'
}

/** `1:02:03`, `2:03`. */
function clock(seconds: number): string {
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60]
  const two = (n: number): string => String(n).padStart(2, '0')
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}
