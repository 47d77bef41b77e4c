/** Labels or principals, typed one after the other. */
import type { ComponentChildren } from 'preact'
import { faultOf, labelsIn } from './readers'

interface Props {
  readonly id: string
  readonly name: string
  readonly text: string
  readonly change: (text: string) => void
  /** How many there may be; as many as a document has, by default. */
  readonly max?: number
  readonly children: ComponentChildren
}

export function LabelsField({ id, name, text, change, max, children }: Props) {
  const fault = faultOf(labelsIn(text), max)
  return (
    <>
      <label for={id}>{name}</label>
      <input
        id={id}
        placeholder="group:finance, user:ana@example.org"
        autocomplete="off"
        spellcheck={false}
        aria-describedby={`${id}-help`}
        value={text}
        onInput={(event) => {
          event.currentTarget.setCustomValidity(faultOf(labelsIn(event.currentTarget.value), max))
          change(event.currentTarget.value)
        }}
      />
      <p class="fine" id={`${id}-help`}>
        {fault || children}
      </p>
    </>
  )
}
