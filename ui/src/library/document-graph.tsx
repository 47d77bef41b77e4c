/** The graph that came with a document: how much of it the text bears out, and what was left out, why. */
import type { Document } from '../../../src/client/client'
import { plural } from '../shared/numbers'

type Graph = NonNullable<Document['graph']>

export function DocumentGraph({ graph }: { readonly graph: Graph }) {
  const { entities, relations, left_out: left } = graph
  const isWhole = Object.values(left).every((n) => n === 0)
  return (
    <p class="fine">
      {counted(entities, relations)} came with this document
      {isWhole
        ? '.'
        : `; its text bears out ${counted(entities - left.entities, relations - left.relations - left.ends - left.room)}. Left out: ${reasonsOf(left)}.`}
    </p>
  )
}

function counted(entities: number, relations: number): string {
  return `${plural(entities, 'entity', 'entities')} and ${plural(relations, 'relation')}`
}

function reasonsOf({ entities, relations, ends, room }: Graph['left_out']): string {
  const reasons = [
    entities + relations > 0 && `${counted(entities, relations)} that no passage says`,
    ends > 0 && `${plural(ends, 'relation')} of which a passage says one end only`,
    room > 0 && `${plural(room, 'relation')} for which there was no room`,
  ]
  return reasons.filter(Boolean).join('; ')
}
