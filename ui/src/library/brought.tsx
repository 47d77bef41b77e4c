/** What an archive, a graph or a file of lines became. */
import { plural } from '../shared/numbers'
import type { Brought } from './uploads'

const PROGRAMS: { readonly [from in NonNullable<Brought['from']>]: string } = {
  slack: 'Slack',
  notion: 'Notion',
  graphrag: 'GraphRAG',
  lightrag: 'LightRAG',
  graphml: 'a graph',
}
export function BroughtIn({ brought }: { readonly brought: readonly Brought[] }) {
  if (brought.length === 0) return null
  return (
    <div class="fine" role="status" aria-label="Brought in">
      <ul>
        {brought.map((one) => (
          <li key={one.name}>
            <strong>{one.name}</strong>: {wordsOf(one)}
          </li>
        ))}
      </ul>
    </div>
  )
}

function wordsOf({ documents, labels, from, graph: own }: Brought): string {
  const held = `${plural(documents, 'document')}${labels > 0 ? ` and ${plural(labels, 'label')}` : ''}`
  const graph = own
    ? ` With them came ${plural(own.entities, 'entity', 'entities')} and ${plural(own.relations, 'relation')} of its graph.${leftOf(own.left_out)}`
    : ''
  return `${held}${from ? ` of ${PROGRAMS[from]}` : ''}.${graph}`
}

function leftOf({ entities, relations, descriptions }: NonNullable<Brought['graph']>['left_out']): string {
  const unsaid = `${plural(entities, 'entity', 'entities')} and ${plural(relations, 'relation')} that their passages do not say`
  const several = `${plural(descriptions, 'description')} written over several documents`
  const left = [...(entities + relations > 0 ? [unsaid] : []), ...(descriptions > 0 ? [several] : [])]
  return left.length > 0 ? ` Left out: ${left.join('; ')}.` : ''
}
