/** How often a page is checked. */
export const INTERVALS: readonly (readonly [every: string, word: string])[] = [
  ['15m', 'every 15 minutes'],
  ['1h', 'every hour'],
  ['6h', 'every 6 hours'],
  ['1d', 'every day'],
  ['7d', 'every week'],
  ['30d', 'every 30 days'],
]

/** Others can be chosen over the API. */
export const intervalWord = (every: string): string => INTERVALS.find(([one]) => one === every)?.[1] ?? `every ${every}`
