/** Where searches begin in memory, by exact comparison: passages, and for corpora that begin by vectors, all units and all names. */
import { namesSaid } from '../../src/core/channels/names'
import type { MemoryGraph } from '../../src/core/graph/memory'
import type { Hit, NodeKind, Vector } from '../../src/core/graph/types'
import type { Query, QuestionName, Strategy } from '../../src/core/strategy'
import { nameKey } from '../../src/core/text/names'
import { cosine } from '../../src/core/vectors'

type Embed = (texts: readonly string[]) => Promise<Vector[]>
type EntryPoints = Pick<Query, 'near' | 'names'>

export interface Embedded {
  readonly id: string
  readonly vector: Vector
}

function nearestOf(all: readonly Embedded[], vector: Vector, k: number): Hit[] {
  return all
    .map((one) => ({ id: one.id, score: cosine(vector, one.vector) }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, k)
}

function unitVectors(graph: MemoryGraph): Embedded[] {
  return graph.page('chunk', '', 1e9).flatMap((id) =>
    (graph.chunk(id)?.units ?? []).flatMap((unit) => {
      const vector = graph.vector(unit.id)
      return vector ? [{ id: unit.id, vector }] : []
    }),
  )
}

async function nameVectors(graph: MemoryGraph, embed: Embed): Promise<Embedded[]> {
  const ids = graph.page('entity', '', 1e9)
  const keys = ids.map((id) => String(graph.node(id)?.data.key ?? ''))
  const vectors = await embed(keys)
  return ids.map((id, i) => ({ id, vector: vectors[i] as Vector }))
}

/** `forget`: the graph has changed. What is found for a question is kept: variants of one search are asked the same of the same graph. */
export function entryPointsOf(graph: MemoryGraph, embed: Embed, indexedOf: (kind: NodeKind) => readonly Embedded[]) {
  let all: { readonly units: readonly Embedded[]; readonly names: readonly Embedded[] } | undefined
  const known = new Map<string, EntryPoints>()
  const vectors = async () => (all ??= { units: unitVectors(graph), names: await nameVectors(graph, embed) })
  const nearestNames = async (question: string, k: number): Promise<QuestionName[]> => {
    const said = namesSaid(question)
    const own = await embed(said.map(nameKey))
    const { names } = await vectors()
    return said.map((text, i) => ({ text, near: nearestOf(names, own[i] as Vector, k) }))
  }
  return {
    forget(): void {
      known.clear()
      all = undefined
    },
    async of(question: string, vector: Vector, wanted: Strategy['entries']): Promise<EntryPoints> {
      const key = `${JSON.stringify(wanted)} ${question}`
      const held = known.get(key)
      if (held) return held
      const near: { [kind in NodeKind]?: readonly Hit[] } = {}
      for (const { kind, k, of } of wanted) {
        if (of !== 'names') near[kind] = nearestOf(kind === 'unit' ? (await vectors()).units : indexedOf(kind), vector, k)
      }
      const byName = wanted.find((entry) => entry.of === 'names')
      const names = byName ? { names: await nearestNames(question, byName.k) } : {}
      known.set(key, { near, ...names })
      return { near, ...names }
    },
  }
}
