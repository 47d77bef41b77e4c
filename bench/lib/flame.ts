/**
 * A profile as a flame chart in SVG: each function as wide as the time in which it was on the stack, on top of what called it, in the colour of its room. Drawn by
 * hand: the libraries draw in a browser, and this is looked at in a document.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Profile, ProfileNode } from './profile'

interface Frame {
  readonly name: string
  readonly room: string
  /** ms, with what it calls. */
  ms: number
  readonly calls: Map<string, Frame>
}

const WIDTH = 1000
const ROW = 18
const TOP = 44
const DEPTH = 22 // rows; what lies deeper is in the width of the last
const NARROWEST = 2 // units; what is narrower is left white
const LETTER = 6.1 // units a letter takes
const ROOMS: readonly (readonly [room: string, path: RegExp, colour: string])[] = [
  ['core/strategies', /^src\/core\/strategies\//, '#e0b15a'],
  ['core/graph', /^src\/core\/graph\//, '#9ec3a4'],
  ['rest of the core', /^src\/core\//, '#cfd8a8'],
  ['durable-objects', /^durable-objects\//, '#a8bfe0'],
  ['SQLite', /^(?:bench|local|test)\/|^sqlite$/, '#d99a8b'],
]
const NATIVE: ReadonlySet<string> = new Set(['all', 'get', 'run', 'exec', 'prepare']) // of SQLite in Node
const OTHER = ['engine and garbage', '#d8d8d8'] as const

/** From the outermost functions of this name on; `runs`: how often it was measured, which the milliseconds are divided by. */
export function flame(
  { nodes, samples, timeDeltas }: Profile,
  root: string,
  { runs, title }: { readonly runs: number; readonly title: string },
): string {
  const own = new Map<number, number>()
  for (const [i, id] of samples.entries()) own.set(id, (own.get(id) ?? 0) + (timeDeltas[i] ?? 0) / 1000)
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const whole: Frame = { name: root, room: '', ms: 0, calls: new Map() }
  const add = (node: ProfileNode, into: Frame): void => {
    into.ms += own.get(node.id) ?? 0
    for (const id of node.children ?? []) {
      const child = byId.get(id)
      if (!child) continue
      const name = child.callFrame.functionName.replace(/\d+$/, '') || '(anonymous)' // the bundler numbers names that come twice
      const frame = into.calls.get(name) ?? { name, room: roomOf(child), ms: 0, calls: new Map() }
      into.calls.set(name, frame)
      const before = frame.ms
      add(child, frame)
      into.ms += frame.ms - before
    }
  }
  const find = (node: ProfileNode): void => {
    const isRoot = node.callFrame.functionName === root
    if (isRoot) add(node, whole)
    for (const id of isRoot ? [] : (node.children ?? [])) {
      const child = byId.get(id)
      if (child) find(child)
    }
  }
  const [first] = nodes
  if (first) find(first)
  return drawn(whole, { runs, title })
}

function roomOf({ callFrame: { url = '', functionName, lineNumber } }: ProfileNode): string {
  const path = NATIVE.has(functionName) && url === '' ? 'sqlite' : moduleAt(url, lineNumber)
  return ROOMS.find(([, room]) => room.test(path))?.[0] ?? OTHER[0]
}

/** The module of a line of a bundle, in which each begins with its path. */
function moduleAt(url: string, line: number): string {
  if (!url.startsWith('file:')) return ''
  const known = modules.get(url) ?? modulesOf(fileURLToPath(url))
  modules.set(url, known)
  return known.findLast(([first]) => first <= line)?.[1] ?? ''
}

const modules = new Map<string, readonly (readonly [line: number, path: string])[]>()

function modulesOf(file: string): readonly (readonly [line: number, path: string])[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, line) => {
      const path = /^\/\/ ((?:src|durable-objects|local|bench|test|node_modules)\/\S+)$/.exec(text)?.[1]
      return path ? [[line, path] as const] : []
    })
}

function drawn(whole: Frame, { runs, title }: { readonly runs: number; readonly title: string }): string {
  const boxes: string[] = []
  let deepest = 0
  const colours = new Map([...ROOMS.map(([room, , colour]) => [room, colour] as const), OTHER])
  const perUnit = whole.ms / WIDTH
  const draw = (frame: Frame, x: number, depth: number): void => {
    const width = frame.ms / perUnit
    if (width < NARROWEST || depth >= DEPTH) return
    deepest = Math.max(deepest, depth)
    const said = `${frame.name}: ${(frame.ms / runs).toFixed(2)} ms, ${((100 * frame.ms) / whole.ms).toFixed(0)} %`
    const letters = Math.floor((width - 6) / LETTER)
    const label = letters >= 3 ? `<text x="3" y="13">${escaped(frame.name.slice(0, letters))}</text>` : ''
    const y = TOP + depth * ROW
    boxes.push(
      `<g transform="translate(${x.toFixed(1)} ${y})"><title>${escaped(said)}</title><rect width="${(width - 0.5).toFixed(1)}" height="${ROW - 1}" fill="${colours.get(frame.room) ?? '#eee'}"/>${label}</g>`,
    )
    let at = x
    for (const call of [...frame.calls.values()].sort((a, b) => b.ms - a.ms)) {
      draw(call, at, depth + 1)
      at += call.ms / perUnit
    }
  }
  draw(whole, 0, 0)
  const legend = [...colours].map(
    ([room, colour], i) =>
      `<rect x="${i * 150}" y="26" width="11" height="11" fill="${colour}"/><text x="${i * 150 + 15}" y="36">${room}</text>`,
  )
  const height = TOP + (deepest + 1) * ROW + 4
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="ui-monospace, monospace" font-size="10">
<title>${escaped(title)}</title>
<rect width="100%" height="100%" fill="white"/>
<text x="0" y="14" font-size="12">${escaped(title)}: ${(whole.ms / runs).toFixed(1)} ms</text>
${legend.join('\n')}
${boxes.join('\n')}
</svg>
`
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
