/** Says which layers are only partly shown, and reads more of them. */
import { count } from '../shared/numbers'
import { type PartRead, READ } from './trees'

interface Props {
  readonly cut: readonly PartRead[]
  /** Segments, communities. */
  readonly what: string
  readonly more: () => void
}

export function CutLayers({ cut, what, more }: Props) {
  if (cut.length === 0) return null
  const parts = cut.map(({ layer, read, count: all }) => `the first ${count(read)} of ${count(all)} of layer ${layer}`)
  return (
    <p class="notice row wrap">
      <span class="grow">
        Not all {what} are shown: {parts.join(', ')}. What belongs to the others is not shown either.
      </span>
      <button type="button" class="small" onClick={more}>
        Read {count(READ)} more
      </button>
    </p>
  )
}
