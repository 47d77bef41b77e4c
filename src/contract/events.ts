/** Events that endpoints are sent. */
export const EVENTS = [
  'document.ready',
  'document.partial',
  'document.failed',
  'corpus.settled',
  'budget.threshold',
  'corpus.drift',
  'alert.raised',
  'alert.cleared',
  'alert.test',
] as const

export type EventType = (typeof EVENTS)[number]
