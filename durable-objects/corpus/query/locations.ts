/** Where evidence and quotes are in the files their documents were read from: page, section, line. Reads the outlines of the documents shown, each once. */
import type { Evidence } from '../../../src/core/evidence'
import type { GraphReader } from '../../../src/core/graph/reader'
import type { SentGraph } from '../../../src/core/text/brought'
import { type Location, locationOf, type Outline } from '../../../src/core/text/outline'
import type { Quote } from '../../../src/ports/retrieval'
import type { Store } from '../store'
import { readBrought } from '../tables/brought'
import { readGivenOutline, readOutline } from '../tables/outline'
import { readLiveNumber, readLiveRevision } from '../tables/revision'

export function withLocations({ sql }: Pick<Store, 'sql'>, graph: GraphReader, evidence: readonly Evidence[]): Evidence[] {
  const outlines = new Map<string, Outline>()
  return evidence.map((one) => {
    const { document, chunk, start, end, url, id } = one
    if (document === null || start === null || end === null) return one
    const outline = outlines.get(document) ?? liveOutline({ sql }, document)
    outlines.set(document, outline)
    if (outline.length === 0) return one
    const offset = start - (graph.text(id)?.start ?? 0) // the chunk's offset in its document
    const between = (from: number, to: number): string =>
      graph.chunk(chunk ?? '')?.text.slice(Math.max(0, from - offset), to - offset) ?? ''
    return { ...one, ...locationOf(outline, { start, end, url, between }) }
  })
}

function liveOutline({ sql }: Pick<Store, 'sql'>, document: string): Outline {
  const n = readLiveNumber(sql, document)
  return n === undefined ? [] : readOutline(sql, n)
}

/** What came with these documents; documents with nothing are left out. */
export function givenOutlines({ sql }: Pick<Store, 'sql'>, documents: readonly string[]): { readonly [id: string]: Outline } {
  const found = documents.map((id): readonly [string, Outline] => {
    const n = readLiveNumber(sql, id)
    return [id, n === undefined ? [] : readGivenOutline(sql, n)]
  })
  return Object.fromEntries(found.filter(([, outline]) => outline.length > 0))
}

/** The graphs that came with these documents; documents with none are left out. */
export function givenGraphs({ sql }: Pick<Store, 'sql'>, documents: readonly string[]): { readonly [id: string]: SentGraph } {
  return Object.fromEntries(
    documents.flatMap((id): [string, SentGraph][] => {
      const n = readLiveNumber(sql, id)
      const sent = n === undefined ? undefined : readBrought(sql, n)
      return sent ? [[id, sent]] : []
    }),
  )
}

/** The position of each quote; null if the live document does not contain it there, letter for letter. */
export function locateQuotes({ sql }: Pick<Store, 'sql'>, quotes: readonly Quote[]): (Location | null)[] {
  const live = new Map<string, { readonly text: string; readonly url: string | null; readonly outline: Outline }>()
  return quotes.map(({ document, start, end, quote }) => {
    const found = live.get(document) ?? readDocument({ sql }, document)
    live.set(document, found)
    const { text, url, outline } = found
    if (quote.length === 0 || text.slice(start, end) !== quote) return null
    return locationOf(outline, { start, end, url, between: (from, to) => text.slice(from, to) })
  })
}

function readDocument({ sql }: Pick<Store, 'sql'>, document: string) {
  const revision = readLiveRevision(sql, document)
  return { text: revision?.text ?? '', url: revision?.url ?? null, outline: revision ? readOutline(sql, revision.n) : [] }
}
