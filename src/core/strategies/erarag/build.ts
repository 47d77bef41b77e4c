/**
 * EraRAG's builder (arXiv 2506.20963): a tree of summaries over size-bounded segments of the chunks, grown by touching only what changed. The
 * structure is settled within the update, before any model is asked; texts follow as they come due.
 */
import { type Draft, draftOf } from '../../graph/draft'
import type { GraphReader } from '../../graph/reader'
import type { Place } from '../../graph/types'
import type { Settings } from '../../settings'
import type { Brief, Builder, Delta, Task, Update } from '../../strategy'
import { mean } from '../../vectors'
import { repair } from './consolidate'
import { grow } from './grow'
import type { Changes } from './segments'
import { forgetShape, hasStoredPlanes, planesOf, type Shape, sameShape, shapeOf, storedShape, storeShape } from './shape'
import { embedInput, extractive, inputOf, memberTexts } from './texts'
import { allPlaces, allStale, dropSummary, leafKey, reopen, spaceOf, type Tree } from './tree'
import { askVectors, receive, settle, type WritingState } from './writing'

const PAGE = 1000 // ids read at a time when everything is read
const EVERY = 100_000 // the most stale summaries: more than a corpus may have

export const eraBuilder: Builder = {
  name: 'erarag',
  builds: ['summary'], // and the `member` edges to them, a kind of edge shared with communities

  update(graph, delta, settings) {
    if (delta.added.length + delta.removed.length + delta.replies.length === 0) return { patch: [], tasks: [] }
    const draft = draftOf(graph)
    const shape = storedShape(graph, settings.erarag) ?? shapeOf(settings.erarag)
    const tree = treeOf(draft, shape)
    grow(tree, 0, leafChanges(tree, delta))
    return finishUpdate(tree, settings, delta)
  },

  brief(graph, task, settings) {
    return briefOf(graph, task, settings)
  },

  again(graph, nodes, settings) {
    const draft = draftOf(graph)
    const tree = treeOf(draft, storedShape(graph, settings.erarag) ?? shapeOf(settings.erarag))
    for (const id of nodes) reopen(tree, id)
    return finishUpdate(tree, settings, NOTHING)
  },

  consolidate(graph, settings) {
    const draft = draftOf(graph)
    const shape = shapeOf(settings.erarag)
    const before = storedShape(graph, settings.erarag)
    const isOutdated = before !== undefined && (!sameShape(before, shape) || hasStoredPlanes(graph))
    const tree = treeOf(draft, shape)
    if (!isOutdated) {
      repair(tree, allLeaves(tree).come)
      return finishUpdate(tree, settings, NOTHING)
    }
    dropTree(tree)
    forgetShape(draft)
    const rebuilt = treeOf(draft, shape)
    grow(rebuilt, 0, allLeaves(rebuilt))
    return finishUpdate({ ...rebuilt, dropped: tree.dropped }, settings, NOTHING)
  },
}

const NOTHING: Delta = { added: [], removed: [], documents: { added: [], removed: [] }, replies: [] }

function treeOf(draft: Draft, shape: Shape): Tree {
  return { draft, shape, planes: planesOf(draft, shape), made: new Set(), dropped: new Map(), into: new Map() }
}

function leafChanges({ draft, planes }: Tree, { added, removed }: Delta): Changes {
  const stands = ({ key, id }: Place): boolean => draft.order(spaceOf(0), { from: key, to: key, limit: 1 })[0]?.id === id
  const gone = removed.map(({ chunk, vectors }): Place => {
    const vector = vectors.passages.length > 0 ? mean(vectors.passages, draft.dimensions) : undefined
    return { id: chunk.id, key: leafKey(planes, vector, chunk.id) }
  })
  const going = new Set(gone.map((place) => place.id))
  const come = added.map(({ id }): Place => ({ id, key: leafKey(planes, draft.vector(id), id) }))
  return { come: come.filter((place) => going.has(place.id) || !stands(place)), gone: gone.filter(stands) }
}

function allLeaves({ draft, planes }: Tree): Changes {
  const come: Place[] = []
  for (let page = draft.page('chunk', '', PAGE); page.length > 0; page = draft.page('chunk', page[page.length - 1] ?? '', PAGE)) {
    come.push(...page.map((id) => ({ id, key: leafKey(planes, draft.vector(id), id) })))
  }
  return { come, gone: [] }
}

/** Removes the whole tree, so that it can be built again. */
function dropTree(tree: Tree): void {
  const { draft } = tree
  for (let page = draft.page('summary', '', PAGE); page.length > 0; page = draft.page('summary', '', PAGE)) {
    for (const id of page) {
      const node = draft.node(id)
      if (node) dropSummary(tree, node)
    }
  }
  for (const { key } of allPlaces(draft, spaceOf(0))) draft.dropPlace(spaceOf(0), key)
}

/** The structure stands: adds texts, tasks, and whatever else must be reported. */
function finishUpdate(tree: Tree, settings: Settings, { replies }: Delta): Update {
  const desk: WritingState = { tree, settings, tasks: new Map(), fresh: new Set() }
  receive(desk, replies)
  const unsettled = (): string[] => [...tree.made, ...desk.fresh, ...(replies === NOTHING.replies ? allStale(tree.draft, EVERY) : [])]
  for (let moved = settle(desk, unsettled()); moved; moved = settle(desk, unsettled())) grow(tree, moved.layer, moved.changes)
  askVectors(desk)
  if (tree.draft.order(spaceOf(0), { limit: 1 }).length === 0) forgetShape(tree.draft)
  else storeShape(tree.draft, tree.shape)
  const cancelled = [...tree.dropped.keys()].filter((id) => !tree.draft.node(id)).sort()
  const tasks = [...desk.tasks.values()].filter((task) => tree.draft.node(task.node)).sort((a, b) => (a.node < b.node ? -1 : 1))
  return { patch: tree.draft.patch(), tasks, ...(cancelled.length > 0 ? { cancelled } : {}) }
}

function briefOf(graph: GraphReader, task: Task, settings: Settings): Brief | undefined {
  const node = graph.node(task.node)
  if (node?.kind !== 'summary') return undefined
  if (task.kind === 'embed') {
    return node.text !== '' && task.input === embedInput(node.text, settings) ? { kind: 'embed', texts: [node.text] } : undefined
  }
  if (task.kind !== 'summarize' || !node.stale || task.input !== inputOf(graph, node, settings)) return undefined
  const texts = memberTexts(graph, node, true)
  return {
    kind: 'summarize',
    role: 'segment',
    subject: '',
    texts,
    tokens: settings.erarag.summary,
    fallback: extractive(graph, node, settings),
  }
}
