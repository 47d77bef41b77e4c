/** An answer to paste elsewhere: its words with the names of their sources, and below them the sources with the quotes from each. */
import type { Citation } from '../../../src/client/client'
import { formatLocation } from '../../../src/client/location'
import { namesOf } from './numbers'

export function withSources(answer: string, citations: readonly Citation[]): string {
  if (citations.length === 0) return answer
  const names = namesOf(citations)
  const places = new Map<number, Set<string>>()
  citations.forEach(({ span }, at) => {
    places.set(span.end, (places.get(span.end) ?? new Set()).add(names[at] ?? ''))
  })
  const bare = [...places].sort(([a], [b]) => b - a)
  const text = bare.reduce((shown, [at, own]) => {
    const after = shown.slice(at).replace(/^(?:\s*\[\s*\d{1,4}(?:\s*[,;]\s*\d{1,4})*\s*\])+/, '')
    return `${shown.slice(0, at)} ${[...own].map((name) => `[${name}]`).join('')}${after}`
  }, answer)
  const sources = new Map(citations.map((one, at) => [names[at] ?? '', one]))
  const lines = [...sources].map(([name, one]) => `[${name}] ${sourceOf(one)}: “${one.quote}”`)
  return `${text}\n\n${lines.join('\n')}`
}

function sourceOf(one: Citation): string {
  const where = formatLocation(one)
  const address = one.link ?? one.url
  return `${one.title || one.document}${where ? `, ${where}` : ''}${address ? ` (${address})` : ''}`
}
