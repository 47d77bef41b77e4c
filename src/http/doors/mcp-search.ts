/**
 * The result of `search`: documents, best first, each with the passages that were found. Deep-research clients expect a list of `{id,
 * title, url}` under `results`; the rest is additional. Without a corpus, several are asked as one.
 */
import { z } from 'zod'
import type { Search, SeveralSearchResult } from '../../client/client'
import { location } from '../../contract/location'
import { MAX_CORPORA } from '../../contract/several'
import type { Door } from './mcp-door'
import { documentRef, linkTo } from './mcp-tools'

const locationSchema = z.object(location)

export const foundSchema = z.object({
  results: z.array(
    z.object({
      id: z.string().describe('Pass it to `fetch`.'),
      title: z.string(),
      url: z.string(),
      text: z.string().describe('The passages, one after the other.'),
      corpus: z.string(),
      document: z.string(),
      passages: z.array(z.object({ text: z.string(), start: z.number(), end: z.number(), score: z.number() }).extend(location)),
    }),
  ),
  summaries: z
    .array(z.object({ corpus: z.string(), kind: z.string(), text: z.string() }))
    .describe('What the graph says across many documents.'),
  skipped: z
    .array(z.object({ corpus: z.string(), code: z.string() }))
    .optional()
    .describe('Corpora that could not be searched just now.'),
})
export type FoundDocuments = z.output<typeof foundSchema>

/** Of the corpora that the caller can use, as many as can be asked at once. */
export async function searchAll(door: Door, named: string | undefined, search: Search): Promise<FoundDocuments> {
  const name = named ?? door.fixed
  const corpora = name === undefined ? (await door.corpora()).slice(0, MAX_CORPORA) : [name]
  const [only, ...others] = corpora
  if (only === undefined) return { results: [], summaries: [] }
  if (others.length === 0) {
    const { evidence } = await door.loam.corpus(only).search(search)
    return groupByDocument(
      door,
      evidence.map((one) => ({ ...one, corpus: only })),
    )
  }
  const { min_version: _, ...asked } = search
  const { evidence, skipped } = await door.loam.search({ ...asked, corpora })
  return { ...groupByDocument(door, evidence), ...(skipped.length > 0 ? { skipped: [...skipped] } : {}) }
}

function groupByDocument(door: Door, evidence: readonly Omit<SeveralSearchResult['evidence'][number], 'also'>[]): FoundDocuments {
  const results = new Map<string, FoundDocuments['results'][number]>()
  const summaries: FoundDocuments['summaries'] = []
  for (const { corpus, document, start, end, text, score, title, url, kind, ...more } of evidence) {
    if (document === null || start === null || end === null) {
      summaries.push({ corpus, kind, text })
      continue
    }
    const id = documentRef(corpus, document)
    const before = results.get(id)
    results.set(id, {
      id,
      title: title || document,
      url: linkTo(door, corpus, document, url),
      corpus,
      document,
      text: before ? `${before.text}\n…\n${text}` : text,
      passages: [...(before?.passages ?? []), { text, start, end, score, ...locationSchema.parse(more) }],
    })
  }
  return { results: [...results.values()], summaries }
}
