/** On whose behalf the visitor asks: with a key that may choose, every part of the page shows what those principals see. */
import { useState } from 'preact/hooks'
import { labelLimits } from '../../../src/core/access/labels'
import { asked } from '../session'
import { LabelsField } from './labels-field'
import { ReaderTags } from './reader-tags'
import { faultOf, labelsIn } from './readers'
import { mayChoose } from './rights'

export function AskedAs() {
  const [text, write] = useState('')
  if (asked.value.length > 0)
    return (
      <p class="notice" role="status">
        You see what <ReaderTags readers={asked.value} /> may read.{' '}
        <button
          type="button"
          class="small"
          onClick={() => {
            asked.value = []
          }}
        >
          Stop asking as them
        </button>
      </p>
    )
  if (!mayChoose()) return null
  const principals = labelsIn(text)
  const choose = (event: Event) => {
    event.preventDefault()
    if (faultOf(principals, labelLimits.perAsker) === '') asked.value = principals
  }
  return (
    <details class="access elsewho">
      <summary>See as somebody else</summary>
      <form class="stack" onSubmit={choose}>
        <LabelsField id="asked-as" name="Ask as" text={text} change={write} max={labelLimits.perAsker}>
          You then see what they may read, everywhere on this page, until you stop.
        </LabelsField>
        <p>
          <button type="submit" disabled={principals.length === 0}>
            Ask as them
          </button>
        </p>
      </form>
    </details>
  )
}
