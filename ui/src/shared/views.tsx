/** Views of the same thing, as links; the current one is in sight even if they are wider than the page. */
import { useEffect, useRef } from 'preact/hooks'
import { to } from '../route'
import { showCurrent } from './in-view'

interface Props {
  readonly label: string
  readonly path: readonly string[]
  readonly views: readonly (readonly [view: string, name: string])[]
  readonly shown: string
}

export function Views({ label, path, views, shown }: Props) {
  const list = useRef<HTMLElement>(null)
  useEffect(() => showCurrent(list.current), [shown])
  return (
    <nav class="views" aria-label={label} ref={list}>
      {views.map(([piece, name]) => (
        <a key={piece} href={to(path, { view: piece })} aria-current={shown === piece ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  )
}
