/** A confirmation before something irreversible, in our own dialog: `ask` resolves to the answer. */
import type { VNode } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'

interface Asked {
  readonly title: string
  readonly text: string
  /** The text of the button that continues. */
  readonly yes: string
  /** Must be typed before continuing. */
  readonly typed?: string
}

interface Open extends Asked {
  readonly answer: (yes: boolean) => void
}

export function useConfirm(): { readonly ask: (asked: Asked) => Promise<boolean>; readonly dialog: VNode | null } {
  const [open, show] = useState<Open | null>(null)
  const ask = (asked: Asked) => new Promise<boolean>((answer) => show({ ...asked, answer }))
  const answered = (yes: boolean) => {
    open?.answer(yes)
    show(null)
  }
  return { ask, dialog: open && <Question open={open} answered={answered} /> }
}

function Question({ open: { title, text, yes, typed }, answered }: { readonly open: Open; readonly answered: (yes: boolean) => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [name, write] = useState('')
  const id = useId()
  useEffect(() => dialog.current?.showModal(), [])
  const answer = (event: Event) => {
    event.preventDefault()
    answered(typed === undefined || name === typed)
  }
  return (
    <dialog ref={dialog} class="question" aria-labelledby={id} onClose={() => answered(false)}>
      <form class="sheet stack" onSubmit={answer}>
        <h2 id={id}>{title}</h2>
        <p>{text}</p>
        {typed !== undefined && (
          <label>
            Type “{typed}” to continue
            <input autocomplete="off" value={name} onInput={(event) => write(event.currentTarget.value)} />
          </label>
        )}
        <p class="row">
          <button type="button" onClick={() => answered(false)}>
            Cancel
          </button>
          <button type="submit" class="danger" disabled={typed !== undefined && name !== typed}>
            {yes}
          </button>
        </p>
      </form>
    </dialog>
  )
}
