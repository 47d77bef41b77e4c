/** Numbers as people read them. */
const whole = new Intl.NumberFormat('en')
const share = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 })

const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

export const count = (n: number): string => whole.format(n)

export const percent = (n: number): string => share.format(n)

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`
}

/** Small amounts keep two significant digits. */
export function dollars(usd: number): string {
  if (usd === 0) return '$0'
  return usd >= 0.01 ? `$${usd.toFixed(2)}` : `$${usd.toPrecision(2)}`
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`
}

export function clip(text: string, most: number): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  return flat.length > most ? `${flat.slice(0, most).trimEnd()}…` : flat
}

/** A point in time, in the reader's own zone; milliseconds or as the API writes it. */
export const when = (time: string | number): string => moment.format(new Date(time))
