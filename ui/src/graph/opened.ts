/** Sigma with our colours and labels. What is selected and its neighbours stand out; the rest steps back. */
import type { MultiUndirectedGraph } from 'graphology'
import Sigma from 'sigma'
import { palette } from './colours'

const CROWDED = 8000 // edges from which they are hidden while the view moves

interface Looking {
  readonly select: (id: string | null) => void
  readonly selected: () => string | null
}

export function opened(place: HTMLElement, graph: MultiUndirectedGraph, { select, selected }: Looking): Sigma {
  const colours = palette()
  const paint = new Map<string, string>()
  const colour = (kind: string): string => {
    const known = paint.get(kind) ?? colours.of(kind)
    paint.set(kind, known)
    return known
  }
  const near = (id: string, focus: string): boolean => id === focus || graph.areNeighbors(id, focus)
  const focused = (): string | null => {
    const id = selected()
    return id !== null && graph.hasNode(id) ? id : null
  }
  const sigma = new Sigma(graph, place, {
    allowInvalidContainer: true,
    labelColor: { color: colours.text },
    labelFont: 'system-ui, sans-serif',
    labelSize: 12,
    labelRenderedSizeThreshold: 7,
    hideEdgesOnMove: graph.size > CROWDED,
    zIndex: true,
    nodeReducer: (id, data) => {
      const focus = focused()
      const shown = { ...data, color: colour(data.kind), zIndex: 0 }
      if (focus === null) return shown
      if (id === focus) return { ...shown, highlighted: true, forceLabel: true, zIndex: 2 }
      return near(id, focus)
        ? { ...shown, forceLabel: graph.degree(focus) < 40, zIndex: 1 }
        : { ...shown, color: colours.faint, label: null }
    },
    edgeReducer: (edge, data) => {
      const focus = focused()
      if (focus === null || graph.hasExtremity(edge, focus)) return { ...data, color: focus === null ? colours.edge : colours.text }
      return { ...data, hidden: graph.size > CROWDED, color: colours.faint }
    },
    defaultDrawNodeHover: (context, data, settings) => {
      const text = data.label ?? ''
      context.font = `${settings.labelWeight} ${settings.labelSize}px ${settings.labelFont}`
      const width = text ? context.measureText(text).width + 14 : 0
      context.fillStyle = colours.back
      context.strokeStyle = colours.text
      context.lineWidth = 1
      context.beginPath()
      if (text) context.roundRect(data.x + data.size + 2, data.y - 11, width, 22, 6)
      context.fill()
      context.stroke()
      context.beginPath()
      context.arc(data.x, data.y, data.size + 3, 0, 2 * Math.PI)
      context.stroke()
      context.fillStyle = colours.text
      if (text) context.fillText(text, data.x + data.size + 9, data.y + 4)
    },
  })
  sigma.on('clickNode', ({ node }) => select(node))
  sigma.on('clickStage', () => select(null))
  return sigma
}
