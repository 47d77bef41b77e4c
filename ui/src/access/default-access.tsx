/** Who reads documents without labels. */
import { useState } from 'preact/hooks'
import type { Corpus } from '../../../src/client/client'
import { LabelsField } from './labels-field'
import { ReaderTags } from './reader-tags'
import { labelsIn, readersOf } from './readers'

interface Props {
  readonly corpus: Corpus
  readonly change: (body: object) => Promise<void>
}

type Choice = 'everyone' | 'labels' | 'nobody'

export function DefaultAccess({ corpus: { default_access: now }, change }: Props) {
  const [choice, choose] = useState<Choice>(now === null ? 'everyone' : now.length > 0 ? 'labels' : 'nobody')
  const [text, write] = useState(now?.join(', ') ?? '')
  const labels = labelsIn(text)
  const save = (event: Event) => {
    event.preventDefault()
    void change({ default_access: choice === 'everyone' ? null : choice === 'nobody' ? [] : labels })
  }
  return (
    <form class="card" onSubmit={save}>
      <h2>Readers</h2>
      <p class="fine">
        Documents without labels are read by <ReaderTags readers={readersOf([], now)} />.
      </p>
      <label for="default-readers">Documents without labels</label>
      <select id="default-readers" value={choice} onChange={(event) => choose(event.currentTarget.value as Choice)}>
        <option value="everyone">everyone who reads this corpus</option>
        <option value="labels">holders of one of these labels</option>
        <option value="nobody">administrators only</option>
      </select>
      {choice === 'labels' && (
        <LabelsField id="default-labels" name="Default labels" text={text} change={write}>
          They apply to documents that have none of their own.
        </LabelsField>
      )}
      <button type="submit" disabled={choice === 'labels' && labels.length === 0}>
        Save
      </button>
    </form>
  )
}
