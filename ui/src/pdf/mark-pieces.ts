/** Marks the pieces of a quote in the text that lies over a page. */
import type { LaidText } from './draw'
import type { Piece } from './find-quote'

/** What was marked before is not any more. Returns the first mark. */
export function markPieces({ runs, places }: LaidText, pieces: readonly Piece[]): HTMLElement | undefined {
  for (const [run, place] of places.entries()) if (place.querySelector('mark')) place.textContent = runs[run] ?? ''
  return pieces.map(({ run, from, until }) => marked(places[run], from, until)).find((mark) => mark !== undefined)
}

function marked(place: HTMLElement | undefined, from: number, until: number): HTMLElement | undefined {
  const text = place?.firstChild
  if (!(text instanceof Text)) return
  const range = document.createRange()
  range.setStart(text, from)
  range.setEnd(text, until)
  const mark = document.createElement('mark')
  range.surroundContents(mark)
  return mark
}
