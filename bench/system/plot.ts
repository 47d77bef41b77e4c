/** Search latency over corpus size as an SVG: one polyline per strategy, p50. Drawn by hand: a chart library is larger than the chart. */
import type { Step } from './growth'

const WIDTH = 640
const HEIGHT = 320
const LEFT = 48
const BASE = HEIGHT - 36
const COLOURS = ['#2f6f4f', '#b3541e', '#3b5ba5', '#8a2f6b', '#6b6b1f', '#20808d', '#999999']

export function plot(steps: readonly Step[]): string {
  const names = Object.keys(steps[0]?.latency ?? {})
  const max = Math.max(...steps.flatMap((step) => names.map((name) => step.latency[name]?.p50 ?? 0)), 1)
  const largest = Math.max(...steps.map((step) => step.passages), 1)
  const x = (passages: number): number => LEFT + (passages / largest) * (WIDTH - LEFT - 150)
  const y = (ms: number): number => BASE - (ms / max) * (BASE - 20)
  const drawn = names.map((name, i) => {
    const points = steps.map((step) => `${x(step.passages).toFixed(1)},${y(step.latency[name]?.p50 ?? 0).toFixed(1)}`).join(' ')
    const colour = COLOURS[i % COLOURS.length]
    const label = `<text x="${WIDTH - 140}" y="${32 + i * 18}" fill="${colour}">${name}</text>`
    return `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points}"/>${label}`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12">
<title>p50 of a search in milliseconds, over the number of passages</title>
<rect width="100%" height="100%" fill="white"/>
<line x1="${LEFT}" y1="${BASE}" x2="${WIDTH - 150}" y2="${BASE}" stroke="#444"/><line x1="${LEFT}" y1="20" x2="${LEFT}" y2="${BASE}" stroke="#444"/>
<text x="${LEFT}" y="${HEIGHT - 12}">passages: up to ${largest}</text><text x="6" y="16">p50 ms</text><text x="6" y="32">${max.toFixed(0)}</text>
${drawn.join('\n')}
</svg>
`
}
