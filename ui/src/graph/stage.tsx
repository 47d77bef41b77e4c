/** The drawing itself: sigma.js on WebGL, arranged by a worker. All it shows is also in the list beside it. */
import { MultiUndirectedGraph } from 'graphology'
import { useEffect, useRef, useState } from 'preact/hooks'
import type Sigma from 'sigma'
import { count, duration } from '../parts/numbers'
import { theme } from '../session'
import type { Order, Settled } from './layout.worker'
import { opened } from './opened'
import { degrees, type Picture } from './picture'

interface Props {
  readonly picture: Picture
  readonly selected: string | null
  readonly select: (id: string | null) => void
}

const STEP = 60 // pixels an arrow key moves the view

export function Stage({ picture, selected, select }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const drawn = useRef<Sigma | null>(null)
  const focus = useRef<string | null>(selected)
  const [settled, tell] = useState<{ readonly done: boolean; readonly ms: number } | null>(null)
  const [failed, fail] = useState(false)
  const light = theme.value
  useEffect(() => {
    if (!place.current || picture.nodes.length === 0) return
    const graph = graphOf(picture)
    const worker = new Worker('/layout.worker.js', { type: 'module' })
    tell(null)
    try {
      const sigma = opened(place.current, graph, { select, selected: () => focus.current })
      drawn.current = sigma
    } catch {
      fail(true)
      worker.terminate()
      return
    }
    const ids = graph.nodes()
    worker.addEventListener('message', ({ data: { positions, done, ms } }: MessageEvent<Settled>) => {
      const places = new Map(ids.map((id, i) => [id, i]))
      graph.updateEachNodeAttributes(
        (id, attributes) => {
          const i = places.get(id) ?? 0
          return { ...attributes, x: positions[2 * i] ?? 0, y: positions[2 * i + 1] ?? 0 }
        },
        { attributes: ['x', 'y'] },
      )
      tell({ done, ms })
      if (done) worker.terminate()
    })
    worker.postMessage(orderOf(picture, ids))
    return () => {
      worker.terminate()
      drawn.current?.kill()
      drawn.current = null
    }
  }, [picture, light])
  useEffect(() => {
    focus.current = selected
    drawn.current?.refresh({ skipIndexation: true })
  }, [selected])
  const keys = (event: KeyboardEvent) => {
    const camera = drawn.current?.getCamera()
    if (!camera) return
    const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key]
    const { x, y, ratio } = camera.getState()
    if (move) {
      const [dx = 0, dy = 0] = move
      const size = place.current?.clientWidth ?? 600
      camera.setState({ x: x + (dx * STEP * ratio) / size, y: y + (dy * STEP * ratio) / size })
    } else if (event.key === '+' || event.key === '=') void camera.animatedZoom({ duration: 150 })
    else if (event.key === '-') void camera.animatedUnzoom({ duration: 150 })
    else if (event.key === '0') void camera.animatedReset({ duration: 150 })
    else return
    event.preventDefault()
  }
  if (failed) return <p class="notice">This browser cannot draw the graph (it needs WebGL). The list shows the same nodes.</p>
  const size = `${count(picture.nodes.length)} nodes, ${count(picture.edges.length)} edges`
  return (
    <div class="stage">
      <div
        class="canvas"
        ref={place}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows and + - move the view
        tabIndex={0}
        aria-label={`Graph of ${size}. Arrow keys move, plus and minus zoom, 0 shows all. The list beside holds the same nodes.`}
        onKeyDown={keys}
      />
      <p class="fine legend" role="status" data-settled={settled?.done ?? false} data-ms={settled ? Math.round(settled.ms) : ''}>
        {size}
        {settled ? (settled.done ? `, laid out in ${duration(settled.ms)}` : ', settling …') : ''}
      </p>
    </div>
  )
}

function graphOf(picture: Picture): MultiUndirectedGraph {
  const graph = new MultiUndirectedGraph()
  const met = degrees(picture)
  for (const [i, { id, kind, text }] of picture.nodes.entries()) {
    const size = Math.min(14, 3 + 1.4 * Math.sqrt(met.get(id) ?? 0) + (kind === 'question' ? 6 : 0))
    const words = text.replace(/\s+/g, ' ')
    const label = words.length > 42 ? `${words.slice(0, 40)}…` : words
    graph.addNode(id, { x: Math.cos(i), y: Math.sin(i), size, label, kind })
  }
  for (const { source, target, kind } of picture.edges) graph.addEdge(source, target, { kind, size: 1 })
  return graph
}

function orderOf(picture: Picture, ids: readonly string[]): Order {
  const places = new Map(ids.map((id, i) => [id, i]))
  const edges = Uint32Array.from(picture.edges.flatMap(({ source, target }) => [places.get(source) ?? 0, places.get(target) ?? 0]))
  return { nodes: ids.length, edges }
}
