/** What was just deleted, with a button that undoes it. Its time stops while it is pointed at or has the focus. */
import { useEffect } from 'preact/hooks'
import { messageOf } from './advice'
import { hold, removals, takeBack, type Waiting, wait } from './removal'

export function UndoBar() {
  const shown = removals.value.filter(({ isSent, fault }) => !isSent || fault !== undefined)
  const last = shown.at(-1)?.id
  // The pressed button has gone with its row: a keyboard user continues in the page, with this bar right before it.
  useEffect(() => {
    if (last !== undefined && document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true })
  }, [last])
  return (
    <div class="undo" role="status" aria-label="Deleted">
      {shown.map((one) => (
        <Line key={one.id} one={one} />
      ))}
    </div>
  )
}

function Line({ one: { id, words, fault } }: { readonly one: Waiting }) {
  return (
    <p
      class={fault === undefined ? 'row' : 'row failure'}
      onMouseEnter={() => hold(id)}
      onMouseLeave={() => wait(id)}
      onFocusIn={() => hold(id)}
      onFocusOut={() => wait(id)}
    >
      <span class="grow">{fault === undefined ? words : `Not done: ${words}. ${fault instanceof Error ? messageOf(fault) : ''}`}</span>
      <button type="button" class="small" aria-label={fault === undefined ? `Undo: ${words}` : 'Close'} onClick={() => takeBack(id)}>
        {fault === undefined ? 'Undo' : 'Close'}
      </button>
    </p>
  )
}
