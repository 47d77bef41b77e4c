/** Who may read something, in words. */
import type { Readers } from './readers'

export function ReaderTags({ readers }: { readonly readers: Readers }) {
  if (readers === null) return <>everyone who reads this corpus</>
  if (readers.length === 0) return <>administrators only</>
  return (
    <>
      {readers.map((label) => (
        <span class="tag" key={label}>
          {label}
        </span>
      ))}
    </>
  )
}
