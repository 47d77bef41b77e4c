/** The nodes of a picture as a list, the best connected first: what the drawing shows, for keyboard and screen reader. */
import { useMemo, useState } from 'preact/hooks'
import { clip, plural } from '../shared/numbers'
import { textOf } from './namesakes'
import { degrees, type Picture } from './picture'

const SHOWN = 100

interface Props {
  readonly picture: Picture
  readonly selected: string | null
  readonly select: (id: string) => void
}

export function NodeList({ picture, selected, select }: Props) {
  const [looked, look] = useState('')
  const ranked = useMemo(() => {
    const met = degrees(picture)
    return picture.nodes
      .map((node) => ({ node, degree: met.get(node.id) ?? 0, text: textOf(node), folded: textOf(node).toLowerCase() }))
      .sort((a, b) => b.degree - a.degree || (a.node.id < b.node.id ? -1 : 1))
  }, [picture])
  const wanted = looked.toLowerCase()
  const found = wanted === '' ? ranked : ranked.filter(({ folded }) => folded.includes(wanted))
  return (
    <div class="card nodes">
      <label>
        <span class="visually-hidden">Find a node</span>
        <input type="search" placeholder="Find among these nodes" value={looked} onInput={(event) => look(event.currentTarget.value)} />
      </label>
      <ul class="plain">
        {found.slice(0, SHOWN).map(({ node: { id, kind }, text, degree }) => (
          <li key={id}>
            <button type="button" class="node" data-kind={kind} aria-pressed={id === selected} onClick={() => select(id)}>
              <span class="visually-hidden">{kind}: </span>
              <span class="grow">{clip(text || id, 70)}</span>
              <span class="fine" title={plural(degree, 'edge')}>
                {degree}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {found.length > SHOWN && <p class="fine">and {found.length - SHOWN} more</p>}
      {found.length === 0 && <p class="fine">No node by this name.</p>}
    </div>
  )
}
