/**
 * Does the vector index hold what the object holds? It cannot be listed, so the object queries its own ids, a page at a time. What it has under ids that
 * are gone is known from the outbox, whose rows stay until their removals are confirmed (confirm-removals.ts).
 */
import { INDEXED_UNITS, NAME_VECTORS } from '../../../src/core/builders/entry-vectors'
import type { DerivedKind } from '../../../src/core/graph/types'
import { kindOf } from '../../../src/core/ids'
import { cosine } from '../../../src/core/vectors'
import type { VectorIndex } from '../../../src/ports/vector-index'
import type { CorpusContext } from '../store'
import type { OutboxEntry } from '../tables/outbox'
import { INDEXED_KINDS, indexChangesOf } from './index-changes'
import { nextPlace, placeIn, type Reconciler } from './reconciler'

const CHUNKS = 25 // in one check: about 200 passages, in ten calls
const NODES = 200
const SAME_COSINE = 0.999 // cosine above which a vector counts as the same: the index keeps floats
const DERIVED: readonly DerivedKind[] = ['entity', 'keyword', 'label', 'summary', 'community']

export function indexReconciler(index: VectorIndex): Reconciler {
  return {
    sink: 'index',
    async compare(context, after, isOnItsWay) {
      const spaces = spacesOf(context)
      const place = placeIn<'chunk' | DerivedKind>(spaces, after)
      const page = context.graph.page(place.space, place.after, place.space === 'chunk' ? CHUNKS : NODES)
      const entries = page.flatMap((id) => entriesOf(context, id)).filter((entry) => !isOnItsWay(entry))
      const own = entries.map((entry) => ({ entry, puts: indexChangesOf(context.graph, entry).puts }))
      const { uid } = context.config
      const ids = own.flatMap(({ entry, puts }) => (puts.length > 0 ? puts.map((one) => one.id) : entry[0] === 'n' ? [entry[1]] : []))
      const shown = new Map((await index.fetch(uid, ids)).map((one) => [one.id, one]))
      const missing = own.filter(({ puts }) =>
        puts.some(({ id, kind, layer, vector }) => {
          const there = shown.get(id)
          return !there || there.kind !== kind || there.layer !== layer || cosine(there.vector, vector) < SAME_COSINE
        }),
      )
      // A node that exists without a vector: nothing in the outbox would remove the one it had.
      const foreign = own.filter(({ entry, puts }) => puts.length === 0 && shown.has(String(entry[1])))
      await index.remove(
        uid,
        foreign.map(({ entry }) => String(entry[1])),
      )
      return {
        next: nextPlace(spaces, place.space, page.at(-1)),
        missing: missing.map((one) => one.entry),
        foreign: foreign.map((one) => one.entry),
      }
    },
  }
}

/** Everything that the index holds of the corpus, a page at a time: needed when the object is restored to a moment and no longer knows it. */
export function* indexedEntries(context: CorpusContext): Generator<readonly OutboxEntry[]> {
  for (const space of spacesOf(context)) {
    for (let after = ''; ; ) {
      const page = context.graph.page(space, after, space === 'chunk' ? CHUNKS : NODES)
      const last = page.at(-1)
      if (last === undefined) break
      yield page.flatMap((id) => entriesOf(context, id))
      after = last
    }
  }
}

/** Those that the object does not have. */
export const unknownEntries = ({ graph }: CorpusContext, entries: readonly OutboxEntry[]): readonly OutboxEntry[] =>
  entries.filter((entry) => indexChangesOf(graph, entry).puts.length === 0)

/** Entities are in the index if names have vectors. */
function spacesOf({ graph }: CorpusContext): readonly ['chunk', ...DerivedKind[]] {
  const hasNames = graph.values(NAME_VECTORS, '', 1).length > 0
  return ['chunk', ...DERIVED.filter((kind) => INDEXED_KINDS.has(kind) || (kind === 'entity' && hasNames))]
}

function entriesOf({ graph }: CorpusContext, id: string): readonly OutboxEntry[] {
  const chunk = graph.chunk(id)
  if (!chunk) {
    const node: OutboxEntry[] = INDEXED_KINDS.has(kindOf(id) ?? 'entity') ? [['n', id]] : []
    return graph.value(NAME_VECTORS, id) === undefined ? node : [...node, ['v', id]]
  }
  const units: OutboxEntry[] = graph.value(INDEXED_UNITS, id) === undefined ? [] : [['u', id, chunk.units.length]]
  return [['c', id, chunk.passages.length], ...units]
}
