/**
 * Citation markers, `[2]` or `[1, 3]`, in an answer that arrives in pieces. A marker that names no source is removed before anyone sees it,
 * wherever the pieces are cut; everything else passes unchanged, so the pieces that pass are the answer.
 */

const MARKER = /\[\s*(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\s*\]/g
const SPACED = /(\s*)\[\s*(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\s*\]/g
const MAX_HELD = 60 // characters held back at most, waiting for a bracket to close
/** White space and the beginning of what may become a marker, at the end of a piece. */
const UNDECIDED = /\s*(?:\[[\d\s,;]*)?$/

export interface MarkerFilter {
  pass(piece: string): string
  /** What was held back. White space at the end is not part of the answer. */
  end(): string
}

export function markerFilter(sources: number): MarkerFilter {
  let held = ''
  let begun = false
  const out = (text: string): string => {
    const known = knownOnly(text, sources)
    const shown = begun ? known : known.trimStart()
    begun ||= shown !== ''
    return shown
  }
  return {
    pass(piece) {
      held += piece
      const [ready, open] = decided(held)
      held = open
      return out(ready)
    },
    end() {
      const rest = out(held).trimEnd()
      held = ''
      return rest
    },
  }
}

/** The part of an unfinished text that can be shown, and its end that may become a marker. */
export function decided(text: string): readonly [ready: string, open: string] {
  const undecided = UNDECIDED.exec(text)?.[0] ?? ''
  const at = undecided.length > MAX_HELD ? text.length : text.length - undecided.length
  return [text.slice(0, at), text.slice(at)]
}

/** Each marker, with the white space before it: its position, and the sources it names. */
export function placesOfMarkers(
  text: string,
): readonly { readonly start: number; readonly end: number; readonly space: string; readonly numbers: readonly number[] }[] {
  return [...text.matchAll(SPACED)].map((match) => {
    const [whole, space = '', list = ''] = match
    return { start: match.index, end: match.index + whole.length, space, numbers: numbers(list) }
  })
}

/** Numbers of the sources named in a text, in order of appearance, without repeats. */
export function markersIn(text: string): readonly number[] {
  return [...new Set([...text.matchAll(MARKER)].flatMap((match) => numbers(match[1] ?? '')))]
}

/** Does it say anything besides numbers of sources? */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(withoutMarkers(text))
}

export function withoutMarkers(text: string): string {
  return text.replace(MARKER, '')
}

/** With three sources, `[1, 9]` becomes `[1]`; `[9]` is removed with the space before it. */
function knownOnly(text: string, sources: number): string {
  return text.replace(SPACED, (whole, space: string, list: string) => {
    const all = numbers(list)
    const known = all.filter((n) => n >= 1 && n <= sources)
    if (known.length === all.length) return whole
    return known.length === 0 ? '' : `${space}[${known.join(', ')}]`
  })
}

function numbers(list: string): number[] {
  return list.split(/[,;]/).map(Number)
}
