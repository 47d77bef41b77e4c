/** What the service has accepted, so that after the storm can be said what it lost. A document is written by one writer at a time, so its last accepted write is known. */
import type { CorpusClient, Loam } from '../../src/client/client'
import { LoamError } from '../../src/client/client'

export interface Lost {
  readonly corpus: string
  readonly document: string
  readonly expected: string
  readonly found: string
}

const DELETED = 'deleted'

export class Ledger {
  /** By corpus and document: the mark of its last accepted text, or that it was deleted. */
  readonly #last = new Map<string, Map<string, string>>()
  /** Whose last write got no answer: it may have happened or not. */
  readonly #unknown = new Set<string>()

  wrote(corpus: string, document: string, mark: string): void {
    this.#of(corpus).set(document, mark)
    this.#unknown.delete(`${corpus}/${document}`)
  }

  deleted(corpus: string, document: string): void {
    this.wrote(corpus, document, DELETED)
  }

  unanswered(corpus: string, document: string): void {
    this.#unknown.add(`${corpus}/${document}`)
  }

  documents(corpus: string): string[] {
    return [...this.#of(corpus)].flatMap(([id, mark]) => (mark === DELETED ? [] : [id]))
  }

  get counted(): { readonly standing: number; readonly deleted: number } {
    const marks = [...this.#last.values()].flatMap((one) => [...one.values()])
    const deleted = marks.filter((mark) => mark === DELETED).length
    return { standing: marks.length - deleted, deleted }
  }

  /** Reads every corpus to its end and compares; `sample` texts of each are looked for by their mark, too, and must be found. */
  async compare(loam: Loam, sample: number): Promise<Lost[]> {
    const lost: Lost[] = []
    for (const [name, expected] of this.#last) {
      const corpus = loam.corpus(name)
      lost.push(...(await this.#listed(name, expected, corpus)))
      for (const document of this.documents(name).slice(0, sample)) {
        const mark = expected.get(document) ?? ''
        const { evidence } = await corpus.search({ query: mark, strategy: 'keyword', top_k: 3 })
        if (!evidence.some((one) => one.document === document && one.text.includes(mark)))
          lost.push({ corpus: name, document, expected: `${mark} in a search`, found: `${evidence.length} others` })
      }
    }
    return lost
  }

  async #listed(name: string, expected: ReadonlyMap<string, string>, corpus: CorpusClient): Promise<Lost[]> {
    const found = new Map<string, string>()
    for await (const { document, metadata } of corpus.documents()) found.set(document, String(metadata.mark))
    const known = [...expected].filter(([document]) => !this.#unknown.has(`${name}/${document}`))
    const stray = [...found.keys()].filter((document) => !expected.has(document))
    return [
      ...known.flatMap(([document, mark]) => {
        const now = found.get(document) ?? DELETED
        return now === mark ? [] : [{ corpus: name, document, expected: mark, found: now }]
      }),
      ...stray.map((document) => ({ corpus: name, document, expected: 'never written', found: 'listed' })),
    ]
  }

  #of(corpus: string): Map<string, string> {
    const known = this.#last.get(corpus) ?? new Map<string, string>()
    this.#last.set(corpus, known)
    return known
  }
}

/** What an answer was, for the tally: its status, or why there was none. A refusal must say when to come back. */
export function outcomeOf(error: unknown): { readonly outcome: string; readonly wait?: number; readonly answered: boolean } {
  if (!(error instanceof LoamError)) return { outcome: String(error), answered: false }
  const { status, retryAfter } = error.more
  if (status === undefined) return { outcome: `${error.code}: ${error.message}`, answered: false }
  if (status === 429 || status === 503)
    return retryAfter === undefined
      ? { outcome: `${status} ${error.code} without Retry-After`, answered: true }
      : { outcome: `${status} ${error.code}`, wait: retryAfter, answered: true }
  return { outcome: `${status} ${error.code}: ${error.message}`, answered: true }
}

/** `200`, and what asks to come back later, are no errors. */
export const isError = (outcome: string): boolean => outcome !== 'ok' && !/^(429|503) \w+$/.test(outcome)
