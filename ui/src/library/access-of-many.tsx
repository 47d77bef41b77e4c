/** Who may read the selected documents: the same labels for all of them, replacing their own. */
import { useState } from 'preact/hooks'
import { LabelsField } from '../access/labels-field'
import { faultOf, labelsIn } from '../access/readers'

interface Props {
  readonly many: string
  readonly set: (labels: readonly string[]) => Promise<void>
}

export function AccessOfMany({ many, set }: Props) {
  const [text, write] = useState('')
  const [sending, send] = useState(false)
  const labels = labelsIn(text)
  const submit = async (event: Event) => {
    event.preventDefault()
    send(true)
    await set(labels)
    send(false)
  }
  return (
    <details class="fine">
      <summary>Change who may read them</summary>
      <form class="stack" onSubmit={submit}>
        <LabelsField id="labels-of-many" name={`Labels of ${many}`} text={text} change={write}>
          They replace the labels the documents have. Separate several with commas; without any, the corpus’s default applies. A key reads
          what shares a label with it: make one under Keys.
        </LabelsField>
        <p>
          <button type="submit" disabled={sending || faultOf(labels) !== ''}>
            Set labels
          </button>
        </p>
      </form>
    </details>
  )
}
