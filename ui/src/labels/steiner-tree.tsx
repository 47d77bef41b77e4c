/**
 * The tree that a classification lit up: the text's keywords on the left, the labels they lead to on the right, and beyond them what joins
 * the labels.
 */
import type { Classified } from '../../../src/client/client'
import { clip } from '../shared/numbers'
import { spelledOut } from './words'

const ROW = 26 // height of a node
const WIDTH = 420
const COLUMNS = { keyword: 150, label: 265, hub: 400 } as const // x of each kind
const LETTERS = 22 // of a name

type Tree = Classified['tree']

export function SteinerTree({ tree: found, text: of }: { readonly tree: Tree; readonly text: string }) {
  const nodes = found.nodes.map((one) => (one.kind === 'keyword' ? { ...one, text: spelledOut(one.text, of) } : one))
  const tree = { ...found, nodes }
  const keywords = orderNodes(tree)
  const labels = tree.nodes.filter(({ kind }) => kind === 'label')
  const rows = Math.max(keywords.length, labels.length, 1)
  const places = new Map<string, { readonly x: number; readonly y: number }>()
  const place = (nodes: Tree['nodes'], x: number) => {
    for (const [i, { id }] of nodes.entries()) places.set(id, { x, y: ((i + 0.5) / nodes.length) * rows * ROW })
  }
  place(keywords, COLUMNS.keyword)
  place(labels, COLUMNS.label)
  place(
    tree.nodes.filter(({ kind }) => kind === 'hub'),
    COLUMNS.hub,
  )
  const heaviest = Math.max(...tree.edges.map(({ weight }) => weight), 1e-9)
  const words = labels.map(({ id, text }) => `${text}: ${keywordsOf(tree, id).join(', ') || 'no keyword'}`).join('; ')
  return (
    <figure class="tree">
      <svg viewBox={`0 0 ${WIDTH} ${rows * ROW}`} role="img" aria-label={`Keywords that lead to labels. ${words}`}>
        {tree.edges.map(({ source, target, weight }) => {
          const [a, b] = [places.get(source), places.get(target)]
          if (!a || !b) return null
          const bend = (a.x + b.x) / 2
          return (
            <path
              key={`${source} ${target}`}
              d={`M${a.x},${a.y} C${bend},${a.y} ${bend},${b.y} ${b.x},${b.y}`}
              stroke-width={1 + 2 * (1 - weight / heaviest)} // a small weight is a strong tie: the tree is the cheapest
            />
          )
        })}
        {tree.nodes.map(({ id, kind, text }) => {
          const spot = places.get(id)
          if (!spot) return null
          return (
            <g key={id} data-kind={kind}>
              <circle cx={spot.x} cy={spot.y} r={kind === 'hub' ? 4 : 6} />
              <text x={spot.x + (kind === 'keyword' ? -12 : 12)} y={spot.y} text-anchor={kind === 'keyword' ? 'end' : 'start'}>
                {clip(text, LETTERS)}
              </text>
            </g>
          )
        })}
      </svg>
      <figcaption class="fine">Why these labels are candidates: the Steiner tree that joins the text’s keywords to them.</figcaption>
    </figure>
  )
}

/** Keywords next to the label they lead to, so that few lines cross. */
function orderNodes(tree: Tree): Tree['nodes'] {
  const labels = tree.nodes.filter(({ kind }) => kind === 'label').map(({ id }) => id)
  const rank = (id: string): number => {
    const met = tree.edges.flatMap(({ source, target }) => (source === id ? [target] : target === id ? [source] : []))
    const ranks = met.map((other) => labels.indexOf(other)).filter((n) => n >= 0)
    return ranks.length ? ranks.reduce((sum, n) => sum + n, 0) / ranks.length : labels.length
  }
  return tree.nodes.filter(({ kind }) => kind === 'keyword').sort((a, b) => rank(a.id) - rank(b.id) || (a.text < b.text ? -1 : 1))
}

function keywordsOf(tree: Tree, label: string): string[] {
  const near = new Set(tree.edges.flatMap(({ source, target }) => (source === label ? [target] : target === label ? [source] : [])))
  return tree.nodes.filter(({ id, kind }) => kind === 'keyword' && near.has(id)).map(({ text }) => text)
}
