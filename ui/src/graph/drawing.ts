/** Sigma with our colours and labels. The selection and its neighbours stand out; the rest is dimmed. */
import type { MultiUndirectedGraph } from 'graphology'
import Sigma from 'sigma'
import { EdgeLineProgram, EdgeRectangleProgram, type NodeHoverDrawingFunction, type NodeLabelDrawingFunction } from 'sigma/rendering'
import type { Palette } from './colours'
import { placeLabels, type Wish } from './labels'

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
  const names = namesWritten(colours)
  const sigma = new Sigma(graph, place, {
    allowInvalidContainer: true,
    edgeProgramClasses: { line: crowded ? EdgeLineProgram : EdgeRectangleProgram },
    enableEdgeEvents: !crowded,
    minEdgeThickness: crowded ? 1 : 2, // wide enough to click
    labelColor: { color: colours.text },
    labelFont: 'system-ui, sans-serif',
    labelSize: 12,
    labelRenderedSizeThreshold: graph.order > NAMED ? 7 : 0,
    labelDensity: graph.order > NAMED ? 1 : 3,
    stagePadding: 48, // room for the names at the edges
    hideEdgesOnMove: crowded,
    zIndex: true,
    defaultDrawNodeLabel: names.wish,
    defaultDrawNodeHover: hover(colours),
  })
  sigma.on('afterRender', () => names.write(sigma))
  sigma.on('clickNode', ({ node }) => chosen.node(node))
  sigma.on('clickEdge', ({ edge }) => chosen.edge(edge))
  sigma.on('clickStage', () => chosen.node(null))
  return { sigma, show: (focus) => show(sigma, graph, colours, focus) }
}

/** Without a focus nothing is computed per node, so that a large graph stays quick. */
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

/** The library draws each name with its node; here names are collected first, and those with room are written at the end. */
function namesWritten(colours: Palette): { readonly wish: NodeLabelDrawingFunction; readonly write: (sigma: Sigma) => void } {
  let wishes: Wish[] = []
  let context: CanvasRenderingContext2D | null = null
  const widths = new Map<string, number>()
  return {
    wish: (on, { key, label, x, y, size, ...data }, { labelWeight, labelSize, labelFont }) => {
      if (!label) return
      context = on
      on.font = `${labelWeight} ${labelSize}px ${labelFont}`
      const width = widths.get(label) ?? on.measureText(label).width
      widths.set(label, width)
      const rank = 'highlighted' in data && data.highlighted ? 2 : 'forceLabel' in data && data.forceLabel ? 1 : 0
      wishes.push({ key, text: label, x, y, size, width, rank })
    },
    write: (sigma) => {
      if (context) {
        context.fillStyle = colours.text
        context.strokeStyle = colours.back
        context.lineWidth = 3
        context.lineJoin = 'round'
        for (const { text, x, y } of placeLabels(wishes, sigma.getSetting('labelSize'), sigma.getDimensions())) {
          context.strokeText(text, x, y) // edges stop before the letters
          context.fillText(text, x, y)
        }
      }
      wishes = []
    },
  }
}

/** A name on our own background, instead of the library's white. */
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
