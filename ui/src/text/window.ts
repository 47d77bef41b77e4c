/** The part of a long text that is shown at first: the place that matters, with its surroundings, cut between two paragraphs. */

export interface Shown {
  readonly from: number
  readonly until: number
}

export function windowAround(text: string, start: number, end: number, around: number): Shown {
  const from = start <= around ? 0 : text.lastIndexOf('\n\n', start - around) + 2
  const until = end + around >= text.length ? text.length : text.indexOf('\n\n', end + around)
  return { from: from === 1 ? Math.max(0, start - around) : from, until: until < 0 ? Math.min(text.length, end + 2 * around) : until }
}
