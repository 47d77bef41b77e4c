/** Subtitles (SubRip, WebVTT) as prose: what is said, by whom if that is named, and at which second. Style marks are dropped. */
import type { OutlineEntry } from '../core/text/outline'
import type { ReadBounds } from './bounds'
import type { ReadText } from './html'
import { linesOf } from './lines'
import { tooLong } from './office/markdown-writer'
import { Unreadable } from './unreadable'

const TIME = /^\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})\s*-->/
const BLOCK = 300 // characters that share one entry of the outline
const PAUSE = 4 // seconds of silence, after which a new paragraph begins

export function readSubtitles(file: string, bounds: Pick<ReadBounds, 'text'>): ReadText {
  const read = proseOf(cuesOf(file), bounds)
  if (read.text === '') throw new Unreadable('broken', 'These are not subtitles: no line has a time (`00:00:01,000 --> 00:00:04,000`).')
  return { title: '', ...read }
}

/** Empty if nothing is said. */
export function proseOf(
  cues: Iterable<Cue>,
  bounds: Pick<ReadBounds, 'text'>,
): { readonly text: string; readonly outline: OutlineEntry[] } {
  const outline: OutlineEntry[] = []
  const parts: string[] = []
  let [length, since, before, speaker] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, '']
  for (const { seconds, text, by } of cues) {
    const isNew = parts.length === 0 || seconds - before > PAUSE || (by !== '' && by !== speaker)
    const gap = parts.length === 0 ? '' : isNew ? '\n\n' : ' '
    if (since >= BLOCK || isNew) {
      outline.push({ start: length + gap.length, seconds })
      since = 0
    }
    const said = by !== '' && (isNew || by !== speaker) ? `${by}: ${text}` : text
    parts.push(gap, said)
    length += gap.length + said.length
    if (length > bounds.text) throw tooLong()
    since += said.length
    before = seconds + text.length / 15 // roughly as long as it takes to say it
    if (by !== '') speaker = by
  }
  return { text: parts.join(''), outline: thinned(outline) }
}

/** `by`: the speaker; empty: none is named. */
export interface Cue {
  readonly seconds: number
  readonly text: string
  readonly by: string
}

function* cuesOf(file: string): Generator<Cue> {
  let seconds: number | undefined
  let lines: string[] = []
  for (const line of linesOf(`${file}\n`)) {
    const time = TIME.exec(line)
    if (time) {
      const [, hours = '0', minutes = '0', whole = '0', fraction = '0'] = time
      seconds = Number(hours) * 3600 + Number(minutes) * 60 + Number(whole) + Number(fraction.padEnd(3, '0')) / 1000
      lines = []
    } else if (line.trim() === '') {
      const spoken = lines.join(' ')
      const by = /<v(?:\.[^\s>]*)?\s+([^>]{1,80})>/.exec(spoken)?.[1]?.trim() ?? ''
      const text = plain(spoken)
      if (seconds !== undefined && text !== '') yield { seconds, text, by }
      seconds = undefined
    } else if (seconds !== undefined) lines.push(line)
  }
}

const plain = (text: string): string =>
  text
    .replace(/<[^<>]{0,200}>/g, '')
    .replace(/\{\\[^{}]{0,100}\}/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim()

/** If there are too many, every second one is dropped until few enough remain. */
function thinned(outline: OutlineEntry[]): OutlineEntry[] {
  let kept = outline
  while (kept.length > 4000) kept = kept.filter((_, i) => i % 2 === 0)
  return kept
}
