/**
 * The sample of a corpus from which its ontology or guidance is proposed: the beginnings of some documents, the same ones each time while
 * the documents are unchanged.
 */
import type { Document } from '../contract/documents'
import type { Page } from '../contract/pages'
import type { Asker } from '../core/access/labels'
import { atOnce } from '../core/at-once'
import type { SampledChunk } from '../core/ontology-counts'
import type { CorpusObject } from '../ports/object'

const sampling = {
  listed: 200, // documents, by id, some of which are read
  pages: 20, // of the list at most: a page may contain only documents that are not for the asker
  documents: 32, // read, evenly spaced, with one call each
  chunks: 3, // of each, from its beginning
  atOnce: 6,
} as const

type Listed = Pick<CorpusObject, 'documents' | 'chunks'>

export interface Sample {
  readonly sample: readonly SampledChunk[]
  readonly documents: number
  /** Documents without their own labels. */
  readonly open: ReadonlySet<string>
}

/** Documents that the asker may read and that are not switched off, evenly spaced among the first by id. */
export async function sampled(corpus: Listed, asker: Asker): Promise<Sample> {
  const active = (await firstListed(corpus, asker)).filter(({ active }) => active)
  const step = Math.max(1, active.length / sampling.documents)
  const chosen = Array.from({ length: Math.min(active.length, sampling.documents) }, (_, i) => active[Math.floor(i * step)]).filter(
    (one) => one !== undefined,
  )
  const begin = atOnce(sampling.atOnce)
  const read = await Promise.all(
    chosen.map(({ document: id }) =>
      begin(async () => {
        const page = await corpus.chunks(id, { from: 0, limit: sampling.chunks }, asker)
        return (page?.data ?? []).map(({ text, entities }): SampledChunk => ({ document: id, text, entities }))
      }),
    ),
  )
  const open = new Set(chosen.flatMap(({ document, access }) => (access.length === 0 ? [document] : [])))
  return { sample: read.flat(), documents: read.filter((chunks) => chunks.length > 0).length, open }
}

async function firstListed(corpus: Listed, asker: Asker): Promise<readonly Document[]> {
  const found: Document[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < sampling.pages; pages++) {
    const page: Page<Document> = await corpus.documents(cursor, sampling.listed - found.length, asker)
    found.push(...page.data)
    cursor = page.next_cursor
    if (cursor === null || found.length >= sampling.listed) break
  }
  return found
}
