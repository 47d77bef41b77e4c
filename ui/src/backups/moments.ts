/** A moment in the form of a date-and-time field, which has no zone, and as people read it. */
const MINUTE = 60_000 // ms

const inZone = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' })

/** `2026-03-01T09:00:00`, in the reader's zone. */
export function fieldOf(time: number): string {
  const local = new Date(time - new Date(time).getTimezoneOffset() * MINUTE)
  return local.toISOString().slice(0, 19)
}

/** Null: nothing is entered, or only half. */
export function timeOf(field: string): string | null {
  const time = Date.parse(field) // without a zone, the reader's is meant
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

export const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

export const momentIn = (time: string): string => inZone.format(new Date(time))

export const momentUtc = (time: string): string => `${time.slice(0, 19).replace('T', ' ')} UTC`
