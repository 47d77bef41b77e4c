/** Sigma with our colours and labels. What is selected and its neighbours stand out; the rest steps back. */
import type { MultiUndirectedGraph } from 'graphology'
import Sigma from 'sigma'
import { EdgeLineProgram, EdgeRectangleProgram, type NodeHoverDrawingFunction } from 'sigma/rendering'
import type { Palette } from './colours'

const CROWDED = 4000 // edges from which they are thin lines, and hidden while the view moves
const FEW = 40 // neighbours that are all named

export interface Drawing {
  readonly sigma: Sigma
  /** Null: nothing stands out. */
  focus(id: string | null): void
}

export function openDrawing(
  place: HTMLElement,
  graph: MultiUndirectedGraph,
  colours: Palette,
  select: (id: string | null) => void,
): Drawing {
  const crowded = graph.size > CROWDED
  const sigma = new Sigma(graph, place, {
    allowInvalidContainer: true,
    edgeProgramClasses: { line: crowded ? EdgeLineProgram : EdgeRectangleProgram },
    labelColor: { color: colours.text },
    labelFont: 'system-ui, sans-serif',
    labelSize: 12,
    labelRenderedSizeThreshold: 7,
    hideEdgesOnMove: crowded,
    zIndex: true,
    defaultDrawNodeHover: hover(colours),
  })
  sigma.on('clickNode', ({ node }) => select(node))
  sigma.on('clickStage', () => select(null))
  return { sigma, focus: (id) => focus(sigma, graph, colours, id !== null && graph.hasNode(id) ? id : null) }
}

/** Without a focus nothing is worked out per node, so that a large graph stays quick. */
function focus(sigma: Sigma, graph: MultiUndirectedGraph, colours: Palette, id: string | null): void {
  if (id === null) {
    sigma.setSettings({ nodeReducer: null, edgeReducer: null })
    return
  }
  const near = new Set(graph.neighbors(id))
  sigma.setSettings({
    nodeReducer: (node, data) => {
      if (node === id) return { ...data, highlighted: true, forceLabel: true, zIndex: 2 }
      return near.has(node) ? { ...data, forceLabel: near.size < FEW, zIndex: 1 } : { ...data, color: colours.edge, label: null, zIndex: 0 }
    },
    edgeReducer: (edge, data) =>
      graph.hasExtremity(edge, id)
        ? { ...data, color: colours.text, zIndex: 1 }
        : { ...data, hidden: graph.size > CROWDED, color: colours.faint },
  })
}

/** A name on our own ground, instead of the library's white. */
function hover(colours: Palette): NodeHoverDrawingFunction {
  return (context, data, settings) => {
    const text = data.label ?? ''
    context.font = `${settings.labelWeight} ${settings.labelSize}px ${settings.labelFont}`
    context.fillStyle = colours.back
    context.strokeStyle = colours.text
    context.lineWidth = 1
    context.beginPath()
    if (text) context.roundRect(data.x + data.size + 2, data.y - 11, context.measureText(text).width + 14, 22, 6)
    context.fill()
    context.stroke()
    context.beginPath()
    context.arc(data.x, data.y, data.size + 3, 0, 2 * Math.PI)
    context.stroke()
    context.fillStyle = colours.text
    if (text) context.fillText(text, data.x + data.size + 9, data.y + 4)
  }
}
