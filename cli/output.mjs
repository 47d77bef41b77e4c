/**
 * What is printed, and for whom: people at a terminal get layout, pipes get one plain line per thing (fields between tabs), `--json`
 * gets JSON. Results go to standard output, all else to standard error. Texts of documents cannot steer the terminal.
 */
const BAR = 30 // characters
const OFTEN = 100 // ms between two drawings of the bar; pipes get a line a second

export function outputOf({ json, stdout, stderr, now = () => Date.now() }) {
  const tty = stdout.isTTY === true
  let [drawn, shown] = [0, '']
  const cleared = () => {
    if (shown !== '' && stderr.isTTY) stderr.write('\r\u001b[K')
    shown = ''
  }
  const line = (text) => stdout.write(`${text}\n`)
  return {
    json,
    /** Layout, and questions at the terminal. */
    people: tty && !json,
    line,
    write: (text) => stdout.write(text),
    /** @template T @param {T} value @param {{people: (value: T) => string, plain: (value: T) => string}} as an empty text prints nothing */
    result(value, as) {
      const said = json ? JSON.stringify(value) : tty ? as.people(value) : as.plain(value)
      cleared()
      if (said !== '') line(said)
    },
    note(text) {
      cleared()
      drawn = 0 // what comes after it is news
      stderr.write(`${text}\n`)
    },
    /** A bar at a terminal, cleared by whatever is said next; `last`: it stays. @param {{share: number, says: string, last?: boolean}} state */
    progress({ share, says, last = false }) {
      const often = stderr.isTTY ? OFTEN : 1000
      if ((!last && now() - drawn < often) || (says === shown && !(last && stderr.isTTY))) return
      drawn = now()
      shown = last ? '' : says
      if (!stderr.isTTY) return stderr.write(`${says}\n`)
      const bar = Math.max(0, Math.min(BAR, (stderr.columns ?? 80) - says.length - 2)) // a line that wraps could not be drawn over
      const filled = Math.round(Math.min(1, share) * bar)
      stderr.write(`\r${'█'.repeat(filled)}${'░'.repeat(bar - filled)} ${says}\u001b[K${last ? '\n' : ''}`)
    },
  }
}

/** One field of a plain line: no tab, no line break, nothing that steers a terminal. */
export function field(value) {
  return safe(String(value ?? ''))
    .replace(/\s+/g, ' ')
    .trim()
}

export function fields(...values) {
  return values.map(field).join('\t')
}

/** Text whose line breaks stay. Without its escape character a sequence that would steer the terminal is mere text. */
export function safe(text) {
  return text.replace(/[^\P{Cc}\n\t]/gu, '')
}

export function seconds(ms) {
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}

export const many = (n, one, more = `${one}s`) => `${n.toLocaleString('en')} ${n === 1 ? one : more}`
