/**
 * Trees of summaries over the parts of a corpus: each part has one of its own chunks, hashed by the same hyperplanes, and tells what is in it. Above
 * them there may be a tree of the whole corpus, whose leaves are the top summaries of the parts.
 */
import { membersIn } from '../graph/members'
import type { ToldSummary, Trees } from '../graph/reader'
import type { GraphNode, Hit, Vector } from '../graph/types'
import { cosine } from '../vectors'
import { first } from './joining'
import type { PartAnswers } from './part-answers'
import type { BelowRead, SummaryRead } from './reads'

/** A summary of what several parts say. */
export interface SummaryAbove {
  readonly node: GraphNode
  /** The parts' summaries below it that say most to the question, best first. */
  readonly leaves: readonly (readonly [summary: string, part: number])[]
}

export class JointTrees implements Trees {
  isRaised = false
  readonly #answers: PartAnswers
  readonly #raised = new Map<string, SummaryAbove>()
  readonly #parents = new Map<string, string>()

  constructor(answers: PartAnswers) {
    this.#answers = answers
  }

  /** The tree above those of the parts, for a question that may see everything in all of them. */
  raise(summaries: readonly SummaryAbove[]): void {
    this.isRaised = true
    for (const one of summaries) {
      this.#raised.set(one.node.id, one)
      for (const member of membersIn(one.node)) this.#parents.set(member, one.node.id)
      for (const [leaf, part] of one.leaves) this.#answers.isAt(leaf, part)
    }
  }

  /** What of it is near to a question. */
  near(question: Vector): readonly Hit[] {
    return [...this.#raised.values()].flatMap(({ node: { id, vector } }) => (vector ? [{ id, score: cosine(question, vector) }] : []))
  }

  /** A text that stands in several parts is in the tree of each. */
  above(chunk: string): readonly string[] {
    const isOpened = !this.#answers.isKnown(`chunk ${chunk}`)
    const own = this.#answers.merge(`above ${chunk}`, ['above', chunk, isOpened], (all: readonly (readonly string[])[]) => all.flat()) ?? []
    return [...new Set(own.flatMap((id) => [id, ...this.#line(id)]))]
  }

  summary(id: string): ToldSummary | undefined {
    const raised = this.#raised.get(id)
    if (raised) return { node: raised.node, isAdmitted: true }
    return this.#answers.isKnown(`summary ${id}`)
      ? this.#answers.merge(`summary ${id}`, ['below', id], first<SummaryRead>)
      : this.#below(id)
  }

  support(summary: string): readonly string[] {
    const raised = this.#raised.get(summary)
    return raised ? inTurn(raised.leaves.map(([leaf]) => this.#below(leaf)?.support ?? [])) : (this.#below(summary)?.support ?? [])
  }

  #below(summary: string): BelowRead | undefined {
    return this.#answers.merge(`below ${summary}`, ['below', summary], first<BelowRead>)
  }

  #line(id: string): readonly string[] {
    const parent = this.#parents.get(id)
    return parent === undefined ? [] : [parent, ...this.#line(parent)]
  }
}

/** The first of each list, then the second of each. */
function inTurn(lists: readonly (readonly string[])[]): readonly string[] {
  const depth = Math.max(0, ...lists.map((list) => list.length))
  return [...new Set(Array.from({ length: depth }, (_, rank) => lists.flatMap((list) => list[rank] ?? [])).flat())]
}
