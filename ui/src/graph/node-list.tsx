/**
 * The nodes of a picture as a list, the best connected first: the content of the drawing, for keyboard and screen reader. Nodes added by
 * opening one come last.
 */
import { useMemo, useState } from 'preact/hooks'
import { clip, plural } from '../shared/numbers'
import { kindWord } from './kinds'
import { textOf } from './namesakes'
import { degrees, type Picture } from './picture'

const SHOWN = 100

interface Props {
  readonly picture: Picture
  /** The initial picture: its nodes keep their order. */
  readonly base: Picture
  readonly hidden: ReadonlySet<string>
  readonly selected: string | null
  readonly select: (id: string) => void
}

export function NodeList({ picture, base, hidden, selected, select }: Props) {
  const [looked, look] = useState('')
  const ranked = useMemo(() => {
    const [met, first] = [degrees(picture), degrees(base)]
    return picture.nodes
      .map((node, at) => ({ node, at, degree: met.get(node.id) ?? 0, text: textOf(node), folded: textOf(node).toLowerCase() }))
      .sort((a, b) => (first.get(b.node.id) ?? -1) - (first.get(a.node.id) ?? -1) || a.at - b.at)
  }, [picture, base])
  const wanted = looked.toLowerCase()
  const found = ranked.filter(({ node, folded }) => !hidden.has(node.kind) && folded.includes(wanted))
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
              <span class="visually-hidden">{kindWord(kind)}: </span>
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
