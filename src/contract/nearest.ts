/** The message for an unknown name: the known name that it resembles, or the known names. Bounded in time whatever is sent. */
import { closestMatch } from 'leven'

const MAX_NAME = 64 // characters compared and shown
const MAX_DISTANCE = 2 // letters wrong, missing or too many; for a short name, one
const MAX_KNOWN = 20 // names listed if none is close
const MAX_UNKNOWN = 20 // names of one object that are reported

/** One sentence for each unknown name, e.g. `filters.documents is unknown; did you mean filters.document?`. */
export function unknownNames(place: readonly PropertyKey[], names: readonly string[], known: readonly string[]): string[] {
  const at = (name: string): string => [...place, name].map(String).join('.')
  return names.slice(0, MAX_UNKNOWN).map((name) => {
    const near = nearest(name, known)
    const hint = near === undefined ? listed(known) : `did you mean ${at(near)}?`
    return `${at(displayName(name))} is unknown; ${hint}`
  })
}

/** For a value that must be one of some words. */
export function unknownValue(value: unknown, known: readonly string[]): string {
  if (typeof value !== 'string') return `must be one of ${known.join(', ')}`
  const near = nearest(value, known)
  return `${displayName(value)} is unknown; ${near === undefined ? listed(known) : `did you mean ${near}?`}`
}

/** One short line: a name may be a megabyte of control characters. */
export function displayName(name: string): string {
  const line = name.slice(0, MAX_NAME).replace(/[\p{Cc}\p{Surrogate}\u2028\u2029]/gu, '\uFFFD')
  return name.length > MAX_NAME ? `${line}…` : line
}

/** `topK` is as near to `top_k` as can be. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_NAME) return undefined
  const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  const sought = plain(name)
  if (sought === '') return undefined
  const found = closestMatch(sought, known.map(plain), { maxDistance: Math.min(MAX_DISTANCE, Math.max(1, Math.floor(sought.length / 3))) })
  return known.find((one) => plain(one) === found)
}

function listed(known: readonly string[]): string {
  if (known.length === 0) return 'no fields are allowed here'
  const rest = known.length - MAX_KNOWN
  return `known ${known.length === 1 ? 'is' : 'are'} ${known.slice(0, MAX_KNOWN).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
