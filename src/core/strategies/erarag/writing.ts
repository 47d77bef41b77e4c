/**
 * Which summaries are due, and what happens when a text or a vector arrives. A summary is due when it is stale and none of its members is; so texts
 * are made from the bottom up, each only once however many changes touched it. Without a writer, and when eager, texts are extracted at once and
 * only embedded later; otherwise a task is created. Until then the old text, or none, stays there, marked stale.
 */
import type { GraphNode, Place, Vector } from '../../graph/types'
import type { Settings } from '../../settings'
import type { Generator, Reply, Task } from '../../strategy'
import { countTokens } from '../../text/tokens'
import type { Changes } from './segments'
import { embedInput, extractive, inputOf } from './texts'
import { keyOf, parentOf, putSummary, type Segment, segmentOf, staleIn, type Tree } from './tree'

const NOTHING: Changes = { come: [], gone: [] }
const EVERY = 100_000 // stale summaries of one layer taken up at once: more than a corpus may have

export interface WritingState {
  readonly tree: Tree
  readonly settings: Settings
  /** By node: one open task for each. */
  readonly tasks: Map<string, Task>
  /** Summaries whose text or vector this update has settled. */
  readonly fresh: Set<string>
}

interface Text {
  readonly text: string
  readonly vector?: Vector
  readonly generator: Generator
}

/** Accepts each reply that its node still wants. */
export function receive(desk: WritingState, replies: readonly Reply[]): void {
  const { tree, settings } = desk
  for (const reply of replies) {
    const node = tree.draft.node(reply.node)
    if (node?.kind !== 'summary') continue
    if (reply.kind === 'embed') {
      const [vector] = reply.vectors
      if (!vector || reply.input !== embedInput(node.text, settings)) continue
      putSummary(tree, { ...node, vector })
      desk.fresh.add(node.id)
    } else if (node.stale && reply.input === inputOf(tree.draft, node, settings)) write(desk, node, textIn(desk, node, reply))
  }
}

/**
 * Writes or asks for every text that is due among these summaries and those above them. If groups follow the texts (`regroup: "summary"`), a layer
 * waits for the whole layer below; as soon as keys of a layer have changed, the changes are returned, and the tree must be grown from them first.
 */
export function settle(desk: WritingState, touched: Iterable<string>): { readonly layer: number; readonly changes: Changes } | undefined {
  const { tree } = desk
  const waiting = new Map<number, Set<string>>()
  for (const id of touched) {
    look(tree, waiting, id)
    look(tree, waiting, parentOf(tree.draft, id))
  }
  const paper = tree.shape.regroup === 'summary'
  for (let layer = 1; layer <= tree.shape.layers; layer++) {
    if (paper && staleIn(tree.draft, layer - 1, 1).length > 0) return undefined
    if (paper) for (const id of staleIn(tree.draft, layer, EVERY)) look(tree, waiting, id)
    climb(desk, waiting, layer)
    const changes = paper ? rekeyed(desk, layer) : NOTHING
    if (changes.come.length > 0) return { layer, changes }
  }
  return undefined
}

/** When a summary settles, its parent can be looked at. */
function climb(desk: WritingState, waiting: Map<number, Set<string>>, layer: number): void {
  for (const id of [...(waiting.get(layer) ?? [])].sort()) {
    if (attend(desk, id)) look(desk.tree, waiting, parentOf(desk.tree.draft, id))
  }
}

function look({ draft }: Tree, waiting: Map<number, Set<string>>, id: string | undefined): void {
  const node = id === undefined ? undefined : draft.node(id)
  if (node?.stale) waiting.set(node.layer, (waiting.get(node.layer) ?? new Set()).add(node.id))
}

/** Tasks for the vectors that settled texts still lack. */
export function askVectors({ tree, settings, fresh, tasks }: WritingState): void {
  for (const id of fresh) {
    const node = tree.draft.node(id)
    if (!node || node.stale || node.text === '' || node.vector) continue
    const input = embedInput(node.text, settings)
    tasks.set(id, { builder: 'erarag', kind: 'embed', node: id, input, urgent: urgent(settings) })
  }
}

/** True if the summary's text has settled now. */
function attend(desk: WritingState, id: string): boolean {
  const { tree, settings, tasks } = desk
  const node = tree.draft.node(id)
  if (!node?.stale) return false
  const segment = segmentOf(node)
  if (segment.members.some((member) => tree.draft.node(member)?.stale)) return false
  const input = inputOf(tree.draft, node, settings)
  if (node.text !== '' && segment.input === input) settled(desk, node)
  else if (instant(desk)) write(desk, node, { text: extractive(tree.draft, node, settings), generator: 'extractive' })
  else {
    tasks.set(id, { builder: 'erarag', kind: 'summarize', node: id, input, urgent: urgent(settings) })
    return false
  }
  return true
}

/** An unusable or empty reply is replaced by the extractive text. */
function textIn(desk: WritingState, node: GraphNode, reply: Reply): Text {
  if (reply.kind === 'summarize' && reply.text.trim() !== '') return reply
  return { text: extractive(desk.tree.draft, node, desk.settings), generator: 'extractive' }
}

function write(desk: WritingState, node: GraphNode, { text, vector, generator }: Text): void {
  const { vector: _, ...rest } = node
  const segment: Segment = { ...segmentOf(node), input: inputOf(desk.tree.draft, node, desk.settings), generator }
  settled(desk, { ...rest, text, tokens: countTokens(text), ...(vector ? { vector } : {}), data: { ...segment } })
}

function settled(desk: WritingState, { stale: _, ...node }: GraphNode): void {
  putSummary(desk.tree, node)
  desk.fresh.add(node.id)
  desk.tasks.delete(node.id)
}

/** Summaries of a layer whose text places them elsewhere: they move there. */
function rekeyed({ tree, fresh }: WritingState, layer: number): Changes {
  const come: Place[] = []
  const gone: Place[] = []
  for (const id of [...fresh].sort()) {
    const node = tree.draft.node(id)
    if (node?.layer !== layer || node.stale || !node.vector) continue
    const segment = segmentOf(node)
    const key = keyOf(tree.planes, node.vector, 1, id)
    if (key === segment.key) continue
    putSummary(tree, { ...node, data: { ...segment, key } })
    gone.push({ id, key: segment.key })
    come.push({ id, key })
  }
  return { come, gone }
}

function instant({ tree, settings }: WritingState): boolean {
  return !settings.writer && settings.erarag.writing === 'eager' && tree.shape.regroup === 'members'
}

function urgent(settings: Settings): boolean {
  return settings.erarag.writing === 'eager'
}
