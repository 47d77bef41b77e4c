/** Sigma with our colours and labels. What is selected and its neighbours stand out; the rest steps back. */
import type { MultiUndirectedGraph } from 'graphology'
import Sigma from 'sigma'
import { EdgeLineProgram, EdgeRectangleProgram, type NodeHoverDrawingFunction } from 'sigma/rendering'
import type { Palette } from './colours'

const CROWDED = 4000 // edges from which they are thin lines, and hidden while the view moves
const FEW = 40 // neighbours that are all named
const NAMED = 60 // nodes that are all named

export interface Focus {
  /** A node. */
  readonly selected: string | null
  readonly edge: string | null
  /** Kinds that are not drawn. */
  readonly hidden: ReadonlySet<string>
}

export interface Drawing {
  readonly sigma: Sigma
  show(focus: Focus): void
}

export interface Chosen {
  readonly node: (id: string | null) => void
  readonly edge: (key: string) => void
}

export function openDrawing(place: HTMLElement, graph: MultiUndirectedGraph, colours: Palette, chosen: Chosen): Drawing {
  const crowded = graph.size > CROWDED
  const sigma = new Sigma(graph, place, {
    allowInvalidContainer: true,
    edgeProgramClasses: { line: crowded ? EdgeLineProgram : EdgeRectangleProgram },
    enableEdgeEvents: !crowded,
    minEdgeThickness: crowded ? 1 : 2, // what is to be clicked on
    labelColor: { color: colours.text },
    labelFont: 'system-ui, sans-serif',
    labelSize: 12,
    labelRenderedSizeThreshold: graph.order > NAMED ? 7 : 0,
    labelDensity: graph.order > NAMED ? 1 : 3,
    stagePadding: 48, // room for the names at the edges
    hideEdgesOnMove: crowded,
    zIndex: true,
    defaultDrawNodeHover: hover(colours),
  })
  sigma.on('clickNode', ({ node }) => chosen.node(node))
  sigma.on('clickEdge', ({ edge }) => chosen.edge(edge))
  sigma.on('clickStage', () => chosen.node(null))
  return { sigma, show: (focus) => show(sigma, graph, colours, focus) }
}

/** Without a focus nothing is worked out per node, so that a large graph stays quick. */
function show(sigma: Sigma, graph: MultiUndirectedGraph, colours: Palette, { selected, edge: looked, hidden }: Focus): void {
  const id = selected !== null && graph.hasNode(selected) ? selected : null
  const ends = looked !== null && graph.hasEdge(looked) ? graph.extremities(looked) : []
  if (id === null && ends.length === 0 && hidden.size === 0) {
    sigma.setSettings({ nodeReducer: null, edgeReducer: null })
    return
  }
  const isHidden = (node: string): boolean => hidden.has(String(graph.getNodeAttribute(node, 'kind')))
  const near = new Set(id === null ? ends : graph.neighbors(id))
  const any = id !== null || ends.length > 0
  sigma.setSettings({
    nodeReducer: (node, data) => {
      if (isHidden(node)) return { ...data, hidden: true }
      if (!any) return data
      if (node === id) return { ...data, highlighted: true, forceLabel: true, zIndex: 2 }
      return near.has(node) ? { ...data, forceLabel: near.size < FEW, zIndex: 1 } : { ...data, color: colours.edge, label: null, zIndex: 0 }
    },
    edgeReducer: (edge, data) => {
      if (hidden.size > 0 && graph.extremities(edge).some(isHidden)) return { ...data, hidden: true }
      if (!any) return data
      const stands = edge === looked || (looked === null && id !== null && graph.hasExtremity(edge, id))
      return stands
        ? { ...data, size: edge === looked ? 4 : data.size, color: colours.text, zIndex: 1 }
        : { ...data, hidden: graph.size > CROWDED, color: colours.faint }
    },
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
