/** What adding texts would cost, before anything is spent. */
import type { Cost as FullCost } from '../../../src/client/client'
import { corpusAt } from '../shared/loam'
import type { Read } from './read-files'
import { batches, type Text } from './text-batches'

type Cost = Pick<FullCost, 'tokens' | 'usd'>

export interface Estimate {
  readonly chunks: number
  readonly likely: Cost
  readonly least: Cost
  readonly most: Cost
  /** What the corpus's own chunks have cost, or rates. */
  readonly basis: 'measured' | 'rates'
}

/** Null if no text model would read them: embedding alone is not worth asking about. */
export async function estimateTexts(corpus: string, texts: readonly Text[]): Promise<Estimate | null> {
  const parts: Estimate[] = []
  for (const documents of batches(texts)) {
    const one = await part(corpus, documents)
    if (one) parts.push(one)
  }
  return sumEstimates(parts)
}

async function part(corpus: string, documents: readonly Text[]): Promise<Estimate | null> {
  const { chunks, corpus: told } = await corpusAt(corpus).estimate({ documents })
  if (!told) return null
  const { basis, bounds, ...likely } = told
  const { in: read, out } = bounds.most.tokens
  return read + out > 0 ? { chunks, likely, ...bounds, basis } : null
}

/**
 * Roughly as they will be read: a page without its tags. Only the server knows what a PDF or an export contains, so it is left out and
 * counted.
 */
export async function readable({ texts, alone }: Read): Promise<{ readonly texts: readonly Text[]; readonly unread: number }> {
  const pages = alone.filter(({ type }) => type === 'text/html')
  const stripped = await Promise.all(pages.map(async ({ file }) => ({ id: file.name, title: '', text: textOf(await file.text()) })))
  return { texts: [...texts, ...stripped.filter(({ text }) => text !== '')], unread: alone.length - pages.length }
}

/** Parsed as a separate document: nothing in it is executed or fetched. */
function textOf(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const hidden of body.querySelectorAll('script, style')) hidden.remove()
  return (body.textContent ?? '').trim()
}

function sumEstimates(parts: readonly Estimate[]): Estimate | null {
  const [first, ...rest] = parts
  if (!first) return null
  return rest.reduce((sum, one) => {
    return {
      chunks: sum.chunks + one.chunks,
      likely: addCosts(sum.likely, one.likely),
      least: addCosts(sum.least, one.least),
      most: addCosts(sum.most, one.most),
      basis: sum.basis === one.basis ? sum.basis : 'rates',
    }
  }, first)
}

function addCosts(a: Cost, b: Cost): Cost {
  const tokens = { in: a.tokens.in + b.tokens.in, out: a.tokens.out + b.tokens.out, embedded: a.tokens.embedded + b.tokens.embedded }
  return { tokens, usd: a.usd + b.usd }
}
