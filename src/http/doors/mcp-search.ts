/**
 * What `search` answers: documents, best first, each with the passages that were found. A list of `{id, title, url}` under `results` is what
 * deep-research clients expect; the rest is for those who look closer. Several corpora are asked side by side and dealt out in turn.
 */
import { z } from 'zod'
import type { Evidence, Search } from '../../client/client'
import { location } from '../../contract/questions'
import type { Door } from './mcp-door'
import { documentRef, linkTo } from './mcp-tools'

const MAX_CORPORA = 8 // asked at once where none is named

const locationSchema = z.object(location)

export const foundSchema = z.object({
  results: z.array(
    z.object({
      id: z.string().describe('Give it to `fetch`.'),
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
    .describe('What the graph says over many documents.'),
})
export type FoundDocuments = z.output<typeof foundSchema>

/** Of the corpora a caller may mean, as many as can be asked at once. */
export async function searchAll(door: Door, named: string | undefined, search: Search): Promise<FoundDocuments> {
  const name = named ?? door.fixed
  const corpora = name === undefined ? (await door.corpora()).slice(0, MAX_CORPORA) : [name]
  const each = await Promise.all(
    corpora.map(async (corpus) => groupByDocument(door, corpus, (await door.loam.corpus(corpus).search(search)).evidence)),
  )
  return { results: dealOut(each.map((one) => one.results)), summaries: each.flatMap((one) => one.summaries) }
}

function groupByDocument(door: Door, corpus: string, evidence: readonly Evidence[]): FoundDocuments {
  const results = new Map<string, FoundDocuments['results'][number]>()
  const summaries: FoundDocuments['summaries'] = []
  for (const { document, start, end, text, score, title, url, kind, ...more } of evidence) {
    if (document === null || start === null || end === null) {
      summaries.push({ corpus, kind, text })
      continue
    }
    const before = results.get(document)
    results.set(document, {
      id: documentRef(corpus, document),
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

/** Scores of different corpora do not compare, ranks do. */
function dealOut<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat()
}
