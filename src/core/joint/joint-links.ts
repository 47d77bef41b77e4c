/**
 * Links between documents of a corpus in parts. Those inside of a part are its own; between parts a text that mentions the name of a document leads to it, as
 * the names that every part keeps of its texts and documents say (builders/links.ts reads the texts themselves).
 */
import { documentKeys, documentsNamed } from '../builders/document-names'
import { ABOUT, mentionsOf } from '../builders/mention-list'
import { compareText } from '../graph/ordered-map'
import type { GraphReader } from '../graph/reader'
import type { Edge } from '../graph/types'
import { nodeId } from '../ids'
import type { JointParts } from './part-answers'
import { type DocumentRead, readLimits } from './reads'

const limits = {
  namesakes: 8, // documents that a name leads to; more lead nowhere, as in one graph
  chunks: 4, // of a document, whose mentions of other parts' documents are links
} as const

interface Reading extends GraphReader {
  documentRead(id: string): DocumentRead | undefined
}

export class JointLinks {
  readonly #graph: Reading
  readonly #partOf: JointParts['partOf']
  readonly #known = new Map<string, readonly Edge[]>() // by way and document

  constructor(graph: Reading, { partOf }: JointParts) {
    this.#graph = graph
    this.#partOf = partOf
  }

  /** More has become known. */
  forget(): void {
    this.#known.clear()
  }

  /** Those of its part, and to documents of other parts whose name its texts mention. */
  from(id: string): readonly Edge[] {
    return this.#once(`from ${id}`, () => {
      const read = this.#graph.documentRead(id)
      if (!read) return []
      const found = new Map<string, Set<string>>()
      const own = this.#partOf(id)
      for (const { chunk } of read.document.chunks.slice(0, limits.chunks)) {
        for (const { key, units } of mentionsOf(this.#graph, chunk)) {
          if (key === '' || units.every((unit) => unit === ABOUT)) continue
          for (const target of this.#bearers(key)) {
            if (target === id || this.#partOf(target) === own) continue
            found.set(target, (found.get(target) ?? new Set()).add(chunk))
          }
        }
      }
      const across = [...found].map(([target, chunks]): Edge => linkOf(id, target, chunks))
      return [...read.out, ...across].sort((a, b) => b.weight - a.weight || compareText(a.target, b.target))
    })
  }

  /** Those of its part, and from documents of other parts that mention its name. */
  to(id: string): readonly Edge[] {
    return this.#once(`to ${id}`, () => {
      const read = this.#graph.documentRead(id)
      if (!read) return []
      const own = this.#partOf(id)
      const found = new Map<string, Set<string>>()
      for (const key of documentKeys(read.document)) {
        if (this.#bearers(key).length === 0) continue
        for (const { source: chunk, data } of this.#graph.edgesTo('mentions', nodeId('entity', key), readLimits.sayers)) {
          if (Array.isArray(data) && data.every((unit) => unit === ABOUT)) continue
          for (const { document } of this.#graph.placements(chunk)) {
            if (document === id || this.#partOf(document) === own) continue
            found.set(document, (found.get(document) ?? new Set()).add(chunk))
          }
        }
      }
      const across = [...found].map(([source, chunks]): Edge => linkOf(source, id, chunks))
      return [...read.back, ...across].sort((a, b) => b.weight - a.weight || compareText(a.source, b.source))
    })
  }

  #bearers(key: string): readonly string[] {
    const ids = documentsNamed(this.#graph, key, limits.namesakes + 1)
    return ids.length > limits.namesakes ? [] : ids
  }

  #once(key: string, make: () => readonly Edge[]): readonly Edge[] {
    const known = this.#known.get(key) ?? make()
    this.#known.set(key, known)
    return known
  }
}

function linkOf(source: string, target: string, chunks: ReadonlySet<string>): Edge {
  return { kind: 'links', source, target, weight: 1, data: [...chunks].sort() }
}
