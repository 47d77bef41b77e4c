/**
 * What is printed, and for whom: people at a terminal get layout, pipes get one plain line per thing (fields between tabs), `--json` gets JSON. Results go
 * to standard output, everything else to standard error. Texts of documents cannot control the terminal.
 */
import { styleText } from 'node:util'

const BAR = 30 // characters
const REDRAW = 100 // ms between two drawings of the bar; pipes get a line a second

export interface Progress {
  readonly share: number
  readonly text: string
  /** A line that stays. */
  readonly isLast?: boolean
}

export interface Output {
  readonly json: boolean
  /** Layout, and questions at the terminal. */
  readonly isForPeople: boolean
  /** The width of the terminal. */
  readonly columns: number
  /** Coloured if the terminal shows colours and NO_COLOR does not forbid them. */
  style(format: Style, text: string): string
  line(text: string): void
  write(text: string): void
  /** An empty text prints nothing. */
  result<T>(value: T, formats: { readonly people: (value: T) => string; readonly plain: (value: T) => string }): void
  note(text: string): void
  /** A bar at a terminal, cleared by whatever is printed next. */
  progress(progress: Progress): void
}

export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan'

interface Streams {
  readonly json: boolean
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly now?: () => number
}

export function createOutput({ json, stdout, stderr, now = () => Date.now() }: Streams): Output {
  const isTerminal = stdout.isTTY === true
  let [drawn, shown] = [0, '']
  const clear = (): void => {
    if (shown !== '' && stderr.isTTY) stderr.write('\r\u001b[K')
    shown = ''
  }
  const hasColours = isTerminal && !json && stdout.hasColors?.() === true
  const line = (text: string): void => void stdout.write(`${text}\n`)
  return {
    json,
    isForPeople: isTerminal && !json,
    columns: stdout.columns || 80,
    style: (format, text) => (hasColours ? styleText(format, text) : text),
    line,
    write: (text) => void stdout.write(text),
    result(value, { people, plain }) {
      const text = json ? JSON.stringify(value) : isTerminal ? people(value) : plain(value)
      clear()
      if (text !== '') line(text)
    },
    note(text) {
      clear()
      drawn = 0 // the next one is drawn at once
      stderr.write(`${text}\n`)
    },
    progress({ share, text, isLast = false }) {
      const pause = stderr.isTTY ? REDRAW : 1000
      if ((!isLast && now() - drawn < pause) || (text === shown && !(isLast && stderr.isTTY))) return
      drawn = now()
      shown = isLast ? '' : text
      if (!stderr.isTTY) return void stderr.write(`${text}\n`)
      const bar = Math.max(0, Math.min(BAR, (stderr.columns ?? 80) - text.length - 2)) // a line that wraps could not be drawn over
      const filled = Math.round(Math.min(1, share) * bar)
      stderr.write(`\r${'█'.repeat(filled)}${'░'.repeat(bar - filled)} ${text}\u001b[K${isLast ? '\n' : ''}`)
    },
  }
}

/** One field of a plain line: no tab, no line break, nothing that controls a terminal. */
export function field(value: unknown): string {
  return safe(String(value ?? ''))
    .replace(/\s+/g, ' ')
    .trim()
}

export function fields(...values: readonly unknown[]): string {
  return values.map(field).join('\t')
}

/** Text that keeps its line breaks. Without its escape character a sequence that would control the terminal is plain text. */
export function safe(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '')
}

/** At most so many characters, for a line that people read. */
export const clip = (text: string, length = 200): string => (text.length > length ? `${text.slice(0, length)}…` : text)

export function seconds(ms: number): string {
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}

export const many = (n: number, one: string, more = `${one}s`): string => `${n.toLocaleString('en')} ${n === 1 ? one : more}`
