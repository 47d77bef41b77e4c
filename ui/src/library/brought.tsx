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
/** They have their own graph, which is not taken over. */
const HAVE_GRAPHS: ReadonlySet<Brought['from']> = new Set(['graphrag', 'lightrag'])

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

function wordsOf({ documents, labels, from }: Brought): string {
  const held = `${plural(documents, 'document')}${labels > 0 ? ` and ${plural(labels, 'label')}` : ''}`
  const graph = HAVE_GRAPHS.has(from) ? ' Its graph is not imported: Loam derives its own from these documents.' : ''
  return `${held}${from ? ` of ${PROGRAMS[from]}` : ''}.${graph}`
}
