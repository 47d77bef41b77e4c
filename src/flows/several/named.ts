/**
 * Documents of several corpora in one answer: while it is made each is called `corpus/document`, so that two with the same id stay
 * distinct; the final answer has `corpus` and `document` separately. Names of corpora contain no slash.
 */
import type { AskEvent, QueryResult, SearchResult } from '../../contract/questions'
import type { SeveralEvent, SeveralQueryResult, SeveralSearchResult } from '../../contract/several'
import type { Evidence } from '../../core/evidence'
import type { RemovedStatement } from '../../core/reader/removed-statements'
import type { Location } from '../../core/text/outline'
import type { CorpusObject } from '../../ports/object'
import type { Quote } from '../../ports/retrieval'
import type { Found } from '../found'
import type { Merged } from './merge'

/** What a question found in several corpora. */
export interface Origins {
  readonly versions: SeveralSearchResult['versions']
  readonly skipped: SeveralSearchResult['skipped']
  /** The corpus of each piece of evidence. */
  readonly corpora: readonly string[]
}

export function joined({ corpus, evidence }: Merged): Evidence {
  const { document, also } = evidence
  return {
    ...evidence,
    document: document === null ? null : `${corpus}/${document}`,
    ...(also ? { also: also.map((one) => ({ ...one, document: `${corpus}/${one.document}` })) } : {}),
  }
}

export function removedJoined({ corpus, removed = [] }: Pick<Found, 'removed'> & { readonly corpus: string }): readonly RemovedStatement[] {
  return removed.map((one) => ({ ...one, document: `${corpus}/${one.document}` }))
}

function apart<T extends { readonly document: string }>(one: T): T & { readonly corpus: string } {
  const at = one.document.indexOf('/')
  return { ...one, corpus: one.document.slice(0, at), document: one.document.slice(at + 1) }
}

/** Quotes are checked by the corpus that each one comes from. */
export function verifierOf(objects: ReadonlyMap<string, Pick<CorpusObject, 'verify'>>): Pick<CorpusObject, 'verify'> {
  return {
    async verify(quotes) {
      const own = quotes.map(apart)
      const found: (Location | null)[] = quotes.map(() => null)
      await Promise.all(
        [...new Set(own.map(({ corpus }) => corpus))].map(async (corpus) => {
          const places = own.flatMap((one, place) => (one.corpus === corpus ? [place] : []))
          const asked = places.flatMap((place): Quote[] => own.slice(place, place + 1).map(({ corpus: _, ...quote }) => quote))
          const answers = (await objects.get(corpus)?.verify(asked)) ?? []
          for (const [i, place] of places.entries()) found[place] = answers[i] ?? null
        }),
      )
      return found
    },
  }
}

export function namedSearch({ version: _, evidence, ...result }: SearchResult, origins: Origins): SeveralSearchResult {
  return { ...result, ...named(evidence, origins) }
}

export function namedQuery({ evidence, ...result }: QueryResult, origins: Origins): SeveralQueryResult {
  return { ...namedAnswer(result), ...named(evidence, origins) }
}

function named(evidence: readonly Evidence[], { corpora, versions, skipped }: Origins) {
  const own = evidence.map((one, i): SeveralSearchResult['evidence'][number] => {
    const { also, document, ...rest } = one
    const places = also ? { also: also.map(apart) } : {}
    return document === null ? { ...rest, ...places, document, corpus: corpora[i] ?? '' } : apart({ ...rest, ...places, document })
  })
  return { evidence: own, versions, skipped }
}

/** All except the evidence. */
function namedAnswer({ version: _, superseded, conflicts, ...result }: Omit<QueryResult, 'evidence'>) {
  const { citations, nearest } = result
  return {
    ...result,
    citations: citations.map(apart),
    nearest: nearest.map(apart),
    ...(superseded
      ? {
          superseded: superseded.map(({ current, replaced, ...rest }) => ({
            ...rest,
            current: apart(current),
            replaced: replaced.map(apart),
          })),
        }
      : {}),
    ...(conflicts ? { conflicts: conflicts.map(({ statements }) => ({ statements: statements.map(apart) })) } : {}),
  }
}

export function namedEvent(event: AskEvent, origins: Origins): SeveralEvent {
  const { versions, skipped } = origins
  switch (event.event) {
    case 'retrieval':
      return { event: 'retrieval', data: namedSearch(event.data, origins) }
    case 'citation':
      return { event: 'citation', data: apart(event.data) }
    case 'done':
      return { event: 'done', data: { ...namedAnswer(event.data), versions, skipped } }
    default:
      return event
  }
}
