/**
 * The sentences of a text for reading, without the marks that only give it form. A heading says what the sentences under it are about, and the head
 * of a table what its rows are about; the label of an item ("3. Plant swap.") and the sentence after it are one.
 */
import type { Span } from '../graph/types'
import { sentences } from '../text/sentences'

export interface Line extends Span {
  /** What it stands under, one line each: the heading, the head of its table. */
  readonly heading: string
  readonly isHeading: boolean
  readonly isItem: boolean
}

/** Marks of a heading, an item, a task, a quotation. */
const MARKS = /^(?:(?:#{1,6}|[-*+•–>]|\(?\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?)+/u
const HEADING = /^#{1,6}\s/u
/** "3.2.4 Going on vacation", as manuals number their sections. */
const SECTION = /^\d{1,2}(?:\.\d{1,2}){1,4}\.?\s+[\p{Lu}\p{Lo}][^.!?:;]{1,80}$/u
const ITEM = /^(?:[-*+•–]|\(?\d{1,3}[.)])\s/u
/** "3. Plant swap.", "§ 5 Deposit." */
const LABEL = /^(?:§+ ?\d{1,4}[a-z]?|\(?\d{1,3}[.)])\s+\p{L}[\p{L}\p{N}'’-]*(?: [\p{L}\p{N}'’&-]+){0,3}[.:]$/u
const ROW = /^\|[^\n]*\|$/u
const RULE = /^\|[\s:|-]+\|$/u
/** "Ovens", in scripts with spaces between words; a paragraph of its own is a heading that nothing marks. */
const WORD = /^(?=[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}])[\p{L}\p{M}'’-]+:?$/u
/** Lines that each begin with words in bold are not one sentence. */
const BOLD_LINE = /\n(?=\*\*)/gu

type Kind = 'text' | 'heading' | 'head' | 'row' | 'rule' | 'label'

export function linesOf(text: string): Line[] {
  const lines: Line[] = []
  let heading = ''
  let head = ''
  let label: number | undefined
  const all = sentences(text).flatMap((span) => parts(text, span))
  for (const [i, { start, end }] of all.entries()) {
    const slice = text.slice(start, end)
    const next = all[i + 1]
    const kind = isAloneWord(text, start, end) ? 'heading' : kindOf(slice, next ? text.slice(next.start, next.end) : '')
    if (kind === 'rule') continue
    const body = start + (MARKS.exec(slice)?.[0].length ?? 0)
    if (kind === 'label') {
      label ??= body
      continue
    }
    if (kind !== 'row') head = ''
    const isHeading = kind === 'heading' || kind === 'head'
    const under = isHeading ? '' : [heading, head].filter((one) => one !== '').join('\n')
    if (body < end) lines.push({ start: label ?? body, end, heading: under, isHeading, isItem: ITEM.test(slice) })
    if (kind === 'heading') heading = text.slice(body, end)
    if (kind === 'head') head = slice
    label = undefined
  }
  return lines
}

function kindOf(slice: string, next: string): Kind {
  if (HEADING.test(slice) || SECTION.test(slice)) return 'heading'
  if (RULE.test(slice)) return 'rule'
  if (ROW.test(slice)) return RULE.test(next) ? 'head' : 'row'
  return LABEL.test(slice) && next !== '' && !MARKS.test(next) ? 'label' : 'text'
}

function isAloneWord(text: string, start: number, end: number): boolean {
  return WORD.test(text.slice(start, end)) && isBorder(text, start - 1, -1) && isBorder(text, end, 1)
}

/** Is there an empty line, or nothing more, from here in that direction? */
function isBorder(text: string, from: number, step: 1 | -1): boolean {
  let breaks = 0
  for (let at = from; breaks < 2; at += step) {
    const letter = text[at]
    if (letter === undefined) return true
    if (letter === '\n') breaks++
    else if (letter.trim() !== '') return false
  }
  return true
}

function parts(text: string, { start, end }: Span): Span[] {
  const borders = [...text.slice(start, end).matchAll(BOLD_LINE)].map(({ index }) => start + index)
  return [start - 1, ...borders].map((from, i) => ({ start: from + 1, end: borders[i] ?? end }))
}
