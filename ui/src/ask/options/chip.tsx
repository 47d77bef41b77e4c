/** Something chosen that can be removed again. */
import type { ComponentChildren } from 'preact'

export function Chip({ children, remove }: { readonly children: ComponentChildren; readonly remove: () => void }) {
  return (
    <button type="button" class="chip" onClick={remove}>
      <span class="visually-hidden">Without </span>
      {children} <span aria-hidden="true">×</span>
    </button>
  )
}
