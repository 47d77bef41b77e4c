/** A tree as an icicle: the corpus above, each segment as wide as the chunks below it. */
import { hierarchy, partition } from 'd3-hierarchy'
import { useMemo } from 'preact/hooks'
import { clip } from '../shared/numbers'
import type { Branch } from './segment-tree'

const WIDTH = 1000
const ROW = 46
const LETTER = 7 // width of one, in the drawing's units
const LEAST_TEXT = 60 // width below which there is no room for words

interface Props {
  readonly root: Branch
  readonly selected: string | null
  readonly select: (id: string) => void
}

export function Icicle({ root, selected, select }: Props) {
  const blocks = useMemo(() => {
    const tree = hierarchy<Branch>(root, ({ children }) => children).sum(({ children, leaves }) =>
      Math.max(0, leaves - children.reduce((sum, child) => sum + child.leaves, 0)),
    )
    return partition<Branch>()
      .size([WIDTH, (tree.height + 1) * ROW])(tree)
      .descendants()
  }, [root])
  const height = Math.max(...blocks.map(({ y1 }) => y1))
  return (
    <figure class="icicle">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a drawing */}
      <svg viewBox={`0 0 ${WIDTH} ${height}`} role="group" aria-label="Segments by layer; the list below shows the same">
        {blocks.map(({ x0, x1, y0, y1, depth, data }) => (
          // biome-ignore lint/a11y/useSemanticElements: a button cannot be in a drawing
          <g
            key={data.id}
            role="button"
            tabIndex={depth === 0 ? -1 : 0}
            aria-label={`${x1 - x0 > LEAST_TEXT ? shownIn(data.text, x1 - x0) : clip(data.text, 60)}, layer ${data.layer}, ${data.leaves} chunks`}
            aria-pressed={data.id === selected}
            data-depth={depth}
            onClick={() => depth > 0 && select(data.id)}
            onKeyDown={(event) => {
              if (depth === 0 || (event.key !== 'Enter' && event.key !== ' ')) return
              event.preventDefault()
              select(data.id)
            }}
          >
            <rect x={x0 + 1} y={y0 + 1} width={Math.max(1, x1 - x0 - 2)} height={y1 - y0 - 2} rx="4" />
            {x1 - x0 > LEAST_TEXT && (
              <text x={x0 + 8} y={(y0 + y1) / 2 + 4}>
                {shownIn(data.text, x1 - x0)}
              </text>
            )}
          </g>
        ))}
      </svg>
    </figure>
  )
}

/** As much text as there is room for. The element's label has the full text. */
const shownIn = (text: string, width: number): string => clip(text || '…', Math.floor((width - 16) / LETTER))
