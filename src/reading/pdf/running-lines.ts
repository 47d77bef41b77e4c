/**
 * The lines that stand at the head or foot of page after page: a title, a chapter, the number of the page. They cut sentences that go from one page to the
 * next, and answer nothing. What such a line says stays where the document says it first.
 */

const LINES = 2 // at the head, and as many at the foot
const FEW = 2 // lines: a page with no more has neither head nor foot
const REPEATED = 3 // pages that make a line a running one
const COUNTED = 0.5 // of the pages; then their numbers count the pages
const PAGE = /^(?:page|seite|página|pagina|p\.)?(?: ?(?:of|von|de|di|\/) ?\d+)?$/iu
const NUMBER = /(?<![\d.])\d{1,4}(?!\.?\d)/g

type Side = 'head' | 'foot'

interface Edge {
  readonly page: number
  readonly side: Side
  /** Its place among the page's lines. */
  readonly at: number
  readonly line: string
}

/** A second line is looked at where the first one is a running line. */
export function withoutRunningLines(pages: readonly string[]): readonly string[] {
  const lines = pages.map((page) => page.split('\n'))
  const gone = new Set<string>()
  const isOpen = ({ page, side }: Edge, round: number): boolean => round === 0 || gone.has(`${side} ${page}`)
  for (let round = 0; round < LINES; round++) {
    const edges = lines.flatMap(edgesOf).filter((edge) => isOpen(edge, round))
    const running = [...repeated(edges), ...counting(edges, lines)]
    gone.clear()
    for (const { page, side, at } of running) {
      gone.add(`${side} ${page}`)
      lines[page]?.splice(at, 1, '')
    }
  }
  return lines.map((own, page) => (own.join('\n') === pages[page] ? (pages[page] ?? '') : own.join('\n').trim()))
}

/** The first and the last line of a page that say something. */
function edgesOf(lines: readonly string[], page: number): Edge[] {
  const said = [...lines.keys()].filter((at) => lines[at]?.trim() !== '')
  const edge = (side: Side, at: number): Edge => ({ page, side, at, line: (lines[at] ?? '').replace(/\s+/g, ' ').trim() })
  return said.length <= FEW ? [] : [edge('head', said[0] ?? 0), edge('foot', said.at(-1) ?? 0)]
}

/** Those that are the same on several pages, but for the first. */
const repeated = (edges: readonly Edge[]): readonly Edge[] => againIn(edges, ({ line }) => line)

/** Those with a number that goes up with the pages: if the rest is a heading that stands elsewhere, says that it is a page, or stands on several pages. */
function counting(edges: readonly Edge[], pages: readonly (readonly string[])[]): readonly Edge[] {
  const steps = new Map<number, number>()
  for (const step of edges.flatMap(stepsOf)) steps.set(step, (steps.get(step) ?? 0) + 1)
  const [step, count = 0] = [...steps].sort((a, b) => b[1] - a[1])[0] ?? []
  if (step === undefined || count < Math.max(REPEATED, pages.length * COUNTED)) return []
  const counted = edges.filter((edge) => stepsOf(edge).includes(step))
  const restOf = ({ page, line }: Edge): string =>
    line
      .replace(new RegExp(`(?<!\\d)${page + step}(?!\\d)`), '')
      .replace(/\s+/g, ' ')
      .trim()
  const titles = new Set(pages.flat().map(titleOf))
  return [...counted.filter((edge) => PAGE.test(restOf(edge)) || titles.has(titleOf(restOf(edge)))), ...againIn(counted, restOf)]
}

/** How far each of its numbers is ahead of the page. */
const stepsOf = ({ page, line }: Edge): number[] => [...line.matchAll(NUMBER)].map(([number]) => Number(number) - page)

function againIn(edges: readonly Edge[], keyOf: (edge: Edge) => string): readonly Edge[] {
  const alike = new Map<string, Edge[]>() // `Map.groupBy` is not in Node 20, where the command line reads files
  for (const edge of edges) {
    const all = alike.get(keyOf(edge))
    if (all) all.push(edge)
    else alike.set(keyOf(edge), [edge])
  }
  return [...alike.values()].flatMap((all) => {
    const isRunning = new Set(all.map(({ page }) => page)).size >= REPEATED
    return isRunning ? all.filter(({ page }) => page !== all[0]?.page) : []
  })
}

/** Without the number of a section. */
export const titleOf = (line: string): string =>
  line
    .replace(/^[\d.\s]+/, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
