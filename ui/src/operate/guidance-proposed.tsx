/** What proposed guidance is based on. It is in the editor, and none of it is saved yet. */
import type { GuidanceProposal } from '../../../src/client/client'
import { languageName } from '../shared/languages'
import { plural } from '../shared/numbers'

interface Props {
  readonly proposal: GuidanceProposal
  /** Restores what was written before. */
  readonly undo: () => void
}

export function ProposedGuidance({ proposal: { guidance, examples, languages, sample, dropped, degraded, usage }, undo }: Props) {
  const read = `${plural(sample.passages, 'passage')} of ${plural(sample.documents, 'document')}`
  const spent = `${plural(usage.in + usage.out, 'token was', 'tokens were')} spent.`
  if (guidance === null && examples.length === 0)
    return (
      <p role="status">
        Nothing to propose from {read}: {sample.passages === 0 ? 'there is no text' : whyNot(degraded)}. {spent}
      </p>
    )
  return (
    <div role="status" aria-label="Proposed">
      <p>
        Proposed by the text model from {read}. {spent} Change it as you like: nothing is saved until you press Save.{' '}
        <button type="button" onClick={undo}>
          Undo
        </button>
      </p>
      <ul class="plain fine">
        {languages.length > 0 && (
          <li>Languages: {languages.map(({ language, passages }) => `${languageName(language)} (${passages})`).join(', ')}</li>
        )}
        {examples.map(({ document, entities, relations }) => (
          <li key={document + entities.length}>
            Example from {document}: {plural(entities.length, 'name')}, {plural(relations.length, 'relation')}
          </li>
        ))}
        {dropped.examples > 0 && (
          <li>{plural(dropped.examples, 'example')} left out: too little of what the model wrote is in the passage.</li>
        )}
        {degraded.length > 0 && <li>Not all of it could be asked for: {whyNot(degraded)}.</li>}
      </ul>
    </div>
  )
}

function whyNot(degraded: GuidanceProposal['degraded']): string {
  return degraded.includes('budget') ? 'the budget does not cover the text model' : 'the text model returned nothing usable'
}
