/** The drawing itself: sigma.js on WebGL, arranged by a worker. Everything it shows is also in the list next to it. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { theme } from '../session'
import { count } from '../shared/numbers'
import { colour, emptyGraph, grow, place } from './arranged'
import { palette } from './colours'
import { type Chosen, type Drawing, type Focus, openDrawing } from './drawing'
import type { Settled } from './layout.worker'
import type { Picture } from './picture'

interface Props {
  /** When it grows, existing nodes stay in place. */
  readonly picture: Picture
  readonly focus: Focus
  readonly chosen: Chosen
}

const NARROW = 500 // pixels below which names are shorter, and the view is moved left to leave them room
const LETTERS = { narrow: 18, wide: 34 } // of a name
const ASIDE = 0.6 // of the width: where the middle then is
const STEP = 60 // pixels an arrow key moves the view

export function Stage({ picture, focus, chosen }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const drawn = useRef<Drawing | null>(null)
  const [graph] = useState(emptyGraph)
  const [settled, tell] = useState<{ readonly done: boolean; readonly ms: number } | null>(null)
  const [failed, fail] = useState(false)
  const now = useRef(chosen)
  now.current = chosen
  const light = theme.value
  useEffect(() => {
    const order = grow(graph, picture, isNarrow(frame.current) ? LETTERS.narrow : LETTERS.wide)
    if (!order) return
    tell(null)
    const worker = new Worker('/layout.worker.js', { type: 'module' })
    worker.addEventListener('message', ({ data: { positions, done, ms } }: MessageEvent<Settled>) => {
      place(graph, positions)
      tell({ done, ms })
      if (done) worker.terminate()
    })
    worker.postMessage(order)
    return () => worker.terminate()
  }, [picture])
  useEffect(() => {
    if (!frame.current || graph.order === 0) return
    colour(graph)
    try {
      drawn.current = openDrawing(frame.current, graph, palette(), {
        node: (id) => now.current.node(id),
        edge: (key) => now.current.edge(key),
      })
    } catch {
      fail(true)
      return
    }
    drawn.current.show(focus)
    if (isNarrow(frame.current)) drawn.current.sigma.getCamera().setState({ x: ASIDE })
    return () => {
      drawn.current?.sigma.kill()
      drawn.current = null
    }
  }, [light])
  useEffect(() => drawn.current?.show(focus), [focus, picture])
  const keys = (event: KeyboardEvent) => {
    const camera = drawn.current?.sigma.getCamera()
    if (!camera) return
    const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key]
    const { x, y, ratio } = camera.getState()
    if (move) {
      const [dx = 0, dy = 0] = move
      const size = frame.current?.clientWidth ?? 600
      camera.setState({ x: x + (dx * STEP * ratio) / size, y: y + (dy * STEP * ratio) / size })
    } else if (event.key === '+' || event.key === '=') void camera.animatedZoom({ duration: 150 })
    else if (event.key === '-') void camera.animatedUnzoom({ duration: 150 })
    else if (event.key === '0') void camera.animatedReset({ duration: 150 })
    else return
    event.preventDefault()
  }
  if (failed) return <p class="notice">This browser cannot draw the graph (it needs WebGL). The list shows the same nodes.</p>
  const size = `${count(picture.nodes.length)} nodes, ${count(picture.edges.length)} connections`
  return (
    <div class="stage">
      <div
        class="canvas"
        ref={frame}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows and + - move the view
        tabIndex={0}
        aria-label={`Graph of ${size}. Arrow keys move, plus and minus zoom, 0 shows all. The list beside holds the same nodes and opens them.`}
        onKeyDown={keys}
      />
      <p class="fine legend" role="status" data-settled={settled?.done ?? false} data-ms={settled ? Math.round(settled.ms) : ''}>
        {size}
        {settled && !settled.done && ', settling …'}
      </p>
    </div>
  )
}

const isNarrow = (frame: HTMLElement | null): boolean => (frame?.clientWidth ?? NARROW) < NARROW
