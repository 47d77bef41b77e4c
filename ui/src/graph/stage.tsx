/** The drawing itself: sigma.js on WebGL, arranged by a worker. All it shows is also in the list beside it. */
import { MultiUndirectedGraph } from 'graphology'
import { useEffect, useRef, useState } from 'preact/hooks'
import { theme } from '../session'
import { clip, count, duration } from '../shared/numbers'
import { palette } from './colours'
import { type Drawing, openDrawing } from './drawing'
import type { Order, Settled } from './layout.worker'
import { textOf } from './namesakes'
import { degrees, type Picture } from './picture'

interface Props {
  readonly picture: Picture
  readonly selected: string | null
  readonly select: (id: string | null) => void
}

const MANY = 1000 // nodes from which they are drawn smaller
const NAME = 40 // letters of a node's label
const STEP = 60 // pixels an arrow key moves the view

export function Stage({ picture, selected, select }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const drawn = useRef<Drawing | null>(null)
  const [settled, tell] = useState<{ readonly done: boolean; readonly ms: number } | null>(null)
  const [failed, fail] = useState(false)
  const light = theme.value
  useEffect(() => {
    if (!place.current || picture.nodes.length === 0) return
    const graph = graphOf(picture)
    tell(null)
    try {
      drawn.current = openDrawing(place.current, graph, palette(), select)
    } catch {
      fail(true)
      return
    }
    drawn.current.focus(selected)
    const worker = new Worker('/layout.worker.js', { type: 'module' })
    worker.addEventListener('message', ({ data: { positions, done, ms } }: MessageEvent<Settled>) => {
      let i = 0 // the graph keeps its nodes in the order they were sent in
      graph.updateEachNodeAttributes(
        (_, attributes) => {
          attributes.x = positions[i] ?? 0
          attributes.y = positions[i + 1] ?? 0
          i += 2
          return attributes
        },
        { attributes: ['x', 'y'] },
      )
      tell({ done, ms })
      if (done) worker.terminate()
    })
    worker.postMessage(orderOf(picture))
    return () => {
      worker.terminate()
      drawn.current?.sigma.kill()
      drawn.current = null
    }
  }, [picture, light])
  useEffect(() => drawn.current?.focus(selected), [selected])
  const keys = (event: KeyboardEvent) => {
    const camera = drawn.current?.sigma.getCamera()
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
  const scale = picture.nodes.length > MANY ? 0.5 : 1
  const { of, edge } = palette()
  const colours = new Map([...new Set(picture.nodes.map(({ kind }) => kind))].map((kind) => [kind, of(kind)]))
  for (const [i, node] of picture.nodes.entries()) {
    const { id, kind } = node
    const size = scale * Math.min(14, 3 + 1.4 * Math.sqrt(met.get(id) ?? 0) + (kind === 'question' ? 6 : 0))
    graph.addNode(id, { x: Math.cos(i), y: Math.sin(i), size, label: clip(textOf(node), NAME), color: colours.get(kind) })
  }
  for (const { source, target } of picture.edges) graph.addEdge(source, target, { size: 1, color: edge })
  return graph
}

function orderOf({ nodes, edges }: Picture): Order {
  const places = new Map(nodes.map(({ id }, i) => [id, i]))
  return {
    nodes: nodes.length,
    edges: Uint32Array.from(edges.flatMap(({ source, target }) => [places.get(source) ?? 0, places.get(target) ?? 0])),
  }
}
