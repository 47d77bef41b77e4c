/** The growth of a corpus as a table, and as an SVG: one polyline for each measure, as a share of its own maximum. */
import type { Step } from './growing'

const MB = (bytes: number): string => (bytes / 1e6).toFixed(0)

export function table(steps: readonly Step[]): string {
  const rows = steps.map((one) => {
    const cells = [
      `${one.chunks}, ${one.passages}, ${one.entities}`,
      `${one.clockRate.toFixed(0)}, ${one.cpuRate.toFixed(0)}`,
      one.rowsPerChunk.toFixed(0),
      one.bytesPerByte.toFixed(1),
      MB(one.heap),
      `${one.longest.cpu.toFixed(0)}, ${one.longestBeside.cpu.toFixed(0)}`,
      one.question.cpu > 0 ? `${one.question.p50.toFixed(0)}, ${one.question.p95.toFixed(0)}; ${one.question.cpu.toFixed(1)}` : '–',
      one.question.cpu > 0 ? `${one.beside.p50.toFixed(0)}, ${one.beside.p95.toFixed(0)}` : '–',
      Object.entries(one.parts)
        .map(([what, ms]) => `${what} ${ms.toFixed(2)}`)
        .join(', '),
    ]
    return `| ${cells.join(' | ')} |`
  })
  return [
    '| chunks, passages, entities | chunks/s: clock, processor | rows a chunk | database bytes for a byte of text | heap, MB | longest turn, ms of the processor: alone, beside questions | `auto`, p50, p95; processor, ms | the same beside indexing | processor a chunk, ms |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

const WIDTH = 640
const HEIGHT = 320
const LEFT = 24
const RIGHT = 430
const BASE = HEIGHT - 36
const TOP = 20

interface Line {
  readonly name: string
  readonly colour: string
  readonly of: (step: Step) => number
}

const LINES: readonly Line[] = [
  { name: 'chunks/s of the processor', colour: '#2f6f4f', of: (one) => one.cpuRate },
  { name: 'rows a chunk', colour: '#b3541e', of: (one) => one.rowsPerChunk },
  { name: 'bytes for a byte of text', colour: '#3b5ba5', of: (one) => one.bytesPerByte },
  { name: 'heap, MB', colour: '#8a2f6b', of: (one) => one.heap / 1e6 },
  { name: 'a question, ms of the processor', colour: '#20808d', of: (one) => one.question.cpu },
]

export function plot(steps: readonly Step[]): string {
  const largest = Math.max(...steps.map((step) => step.chunks), 1)
  const x = (chunks: number): number => LEFT + (chunks / largest) * (RIGHT - LEFT)
  const drawn = LINES.map(({ name, colour, of }, i) => {
    const max = Math.max(...steps.map(of), Number.MIN_VALUE)
    const y = (value: number): number => BASE - (value / max) * (BASE - TOP)
    const points = steps.map((step) => `${x(step.chunks).toFixed(1)},${y(of(step)).toFixed(1)}`).join(' ')
    const ends = [steps[0], steps.at(-1)].map((step) => (step ? of(step).toFixed(step && of(step) < 10 ? 1 : 0) : ''))
    const label = `<text x="${RIGHT + 10}" y="${TOP + 16 + i * 34}" fill="${colour}">${name}<tspan x="${RIGHT + 10}" dy="15">${ends.join(' → ')}</tspan></text>`
    return `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points}"/>${label}`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12">
<title>One corpus as it grows: each line as a share of its own maximum, over the number of chunks</title>
<rect width="100%" height="100%" fill="white"/>
<line x1="${LEFT}" y1="${BASE}" x2="${RIGHT}" y2="${BASE}" stroke="#444"/><line x1="${LEFT}" y1="${TOP}" x2="${LEFT}" y2="${BASE}" stroke="#444"/>
<text x="${LEFT}" y="${HEIGHT - 12}">chunks: up to ${largest}; each line from 0 to its own maximum</text>
${drawn.join('\n')}
</svg>
`
}
