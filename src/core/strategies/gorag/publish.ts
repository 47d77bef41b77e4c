/**
 * What the rest of the product sees of the keyword–label graph: keyword nodes, and `indicates` edges from keyword to label with their counts and,
 * for what was learned, who decided it. A function of the rows; a patch holds only what differs from before.
 */
import type { GraphReader } from '../../graph/reader'
import type { Change, Edge, GraphNode } from '../../graph/types'
import { nodeId } from '../../ids'
import { countTokens } from '../../text/tokens'
import { type GoragIndex, goragIndex } from './index'
import { asWritten } from './keywords'
import type { GoragSettings } from './settings'
import { type Cell, type View, viewOf } from './view'

/** Changes that turn the keywords and edges of one index into those of another. `among`: the only keywords that may differ. */
export function publicationChanges(
  before: GoragIndex,
  after: GoragIndex,
  settings: GoragSettings,
  now: number,
  among?: Iterable<string>,
): Change[] {
  return changesBetween({ index: before, view: viewOf(before, settings, now) }, { index: after, view: viewOf(after, settings, now) }, among)
}

/** Changes that turn what one configuration shows of the same rows into what another shows. */
export function republicationChanges(graph: GraphReader, before: GoragSettings, after: GoragSettings): Change[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  const side = (settings: GoragSettings): Side => {
    const index = goragIndex(graph, settings)
    return { index, view: viewOf(index, settings, 0) }
  }
  return changesBetween(side(before), side(after))
}

function changesBetween(old: Side, next: Side, among?: Iterable<string>): Change[] {
  const keywords = [...new Set(among ?? [...old.view.cells.keys(), ...next.view.cells.keys()])].sort()
  return keywords.flatMap((keyword) => keywordChanges(keyword, old, next))
}

interface Side {
  readonly index: GoragIndex
  readonly view: View
}

function keywordChanges(keyword: string, old: Side, next: Side): Change[] {
  const [before, after] = [cellsOf(old, keyword), cellsOf(next, keyword)]
  const source = nodeId('keyword', keyword)
  const changes: Change[] = []
  if (before.size === 0 && after.size > 0) changes.push({ op: 'put-node', node: keywordNode(source, keyword) })
  for (const [target, cell] of after) {
    if (!same(before.get(target), cell)) changes.push({ op: 'put-edge', edge: edgeOf(next.index, source, target, cell) })
  }
  for (const target of before.keys()) if (!after.has(target)) changes.push({ op: 'drop-edge', kind: 'indicates', source, target })
  if (before.size > 0 && after.size === 0) changes.push({ op: 'drop-node', id: source })
  return changes
}

/** By the label's node id, since numbers of labels shift when labels come and go. */
function cellsOf({ view }: Side, keyword: string): ReadonlyMap<string, Cell> {
  return new Map([...(view.cells.get(keyword) ?? [])].map((cell) => [view.labelled.labels[cell.label] ?? '', cell]))
}

function same(a: Cell | undefined, b: Cell): boolean {
  return a !== undefined && a.texts === b.texts && a.count === b.count && a.learned.join() === b.learned.join()
}

function keywordNode(id: string, keyword: string): GraphNode {
  const text = asWritten(keyword)
  return { id, kind: 'keyword', layer: 0, text, tokens: countTokens(text), data: {} }
}

/** The edge's weight is the number of texts behind it; distances are computed on read. */
function edgeOf(index: GoragIndex, source: string, target: string, cell: Cell): Edge {
  const learned = cell.learned.map((id) => {
    const row = index.learned.get(id)
    return { id, source: row?.source ?? '', confidence: row?.confidence ?? 0, at: row?.at ?? 0 }
  })
  const data = { texts: cell.texts, count: cell.count, ...(learned.length > 0 ? { learned } : {}) }
  return { kind: 'indicates', source, target, weight: cell.texts + learned.length, data }
}
