/** What a proposed ontology is based on. It is in the editor, and none of it is saved yet. */
import type { OntologyProposal } from '../../../src/client/client'
import { plural } from '../shared/numbers'

export type Proposal = OntologyProposal

interface Props {
  readonly proposal: Proposal
  /** Restores what was written before. */
  readonly undo: () => void
}

export function Proposed({ proposal: { by, ontology, types, relations, sample, degraded }, undo }: Props) {
  const read = `${plural(sample.chunks, 'chunk')} of ${plural(sample.documents, 'document')}`
  if (ontology === null) return <p role="status">Nothing to propose: no kind of name or relation recurs in {read}.</p>
  return (
    <div role="status" aria-label="Proposed">
      <p>
        {by === 'model' ? 'Proposed by the text model' : 'Proposed by counting'} from {read}. Change it as you like: nothing is saved until
        you press Save.{' '}
        <button type="button" onClick={undo}>
          Undo
        </button>
      </p>
      {degraded.length > 0 && (
        <p class="fine">
          {degraded.includes('budget') ? 'The budget does not cover the text model.' : 'The text model returned nothing usable.'}
        </p>
      )}
      <ul class="plain fine">
        {types.map(({ name, count: times, examples }) => (
          <li key={`type ${name}`}>
            {name} ({times}): {examples.join(', ')}
          </li>
        ))}
        {relations.map(({ name, count: times, examples }) => (
          <li key={`relation ${name}`}>
            {name} ({times}): {examples.map(({ subject, object }) => `${subject} → ${object}`).join(', ')}
          </li>
        ))}
      </ul>
    </div>
  )
}
