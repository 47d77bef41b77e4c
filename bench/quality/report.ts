/** From measurements to a Markdown report and a plot. Every difference is to the best single baseline of the condition, with a paired interval. */
import { additions } from './additions'
import type { Contender } from './contenders'
import { BUDGETS, type Row, summary } from './measure'
import { interval, mean, pairedBootstrap } from './metrics/ranking'

export interface Result {
  readonly set: string
  readonly titles: boolean
  readonly contender: string
  readonly rows: readonly Row[]
}

export function markdown(results: readonly Result[], asked: readonly Contender[], embedding: string): string {
  const parts = [true, false].flatMap((titles) => {
    const own = results.filter((one) => one.titles === titles)
    return own.length > 0 ? [condition(own, asked, titles)] : []
  })
  return `# Retrieval quality, embeddings: ${embedding}\n\nIn per cent; brackets hold the 95 % interval of a paired bootstrap. One gold document counts once, by its first passage.\n\n${parts.join('\n')}`
}

function condition(results: readonly Result[], asked: readonly Contender[], titles: boolean): string {
  const sets = [...new Set(results.map((one) => one.set))]
  const rowsOf = (name: string, set: string): readonly Row[] => results.find((one) => one.contender === name && one.set === set)?.rows ?? []
  const overall = (name: string): number => mean(sets.map((set) => summary(rowsOf(name, set)).recall5))
  const baselines = asked.filter((one) => one.baseline)
  const best = baselines.reduce((top, one) => (overall(one.name) > overall(top) ? one.name : top), baselines[0]?.name ?? '')
  const lines = asked.map(({ name }) => {
    const groups = sets.map((set) => ({
      a: rowsOf(name, set).map((row) => 100 * row.recall5),
      b: rowsOf(best, set).map((row) => 100 * row.recall5),
    }))
    const gain = pairedBootstrap(groups)
    const cells = sets.map((set) => {
      const { recall2, recall5, recall10 } = summary(rowsOf(name, set))
      return [recall2, recall5, recall10].map((one) => one.toFixed(1)).join(' / ')
    })
    const difference = name === best ? 'best baseline' : interval(gain)
    return `| ${name} | ${cells.join(' | ')} | **${overall(name).toFixed(1)}** | ${difference} |`
  })
  const head = `| | ${sets.join(' | ')} | mean R@5 | R@5 against ${best || 'the baseline'} |\n|${'---|'.repeat(sets.length + 3)}`
  const parts = [
    `${head}\n${lines.join('\n')}`,
    additions(asked, sets, rowsOf),
    switches(asked, sets, rowsOf),
    contexts(results, asked, sets),
  ]
  return `## ${titles ? 'With titles' : 'Without titles'}: recall @2 / @5 / @10\n\n${parts.filter(Boolean).join('\n\n')}`
}

/** What each switch is worth: a variant, named after the whole it is a part of, against that whole. */
function switches(asked: readonly Contender[], sets: readonly string[], rowsOf: (name: string, set: string) => readonly Row[]): string {
  const recalls = (name: string, set: string): number[] => rowsOf(name, set).map((row) => 100 * row.recall5)
  const lines = asked.flatMap(({ name }) => {
    const whole = asked.find((one) => name.startsWith(`${one.name} `))
    if (!whole) return []
    const gain = pairedBootstrap(sets.map((set) => ({ a: recalls(name, set), b: recalls(whole.name, set) })))
    return [`| ${name} | ${whole.name} | ${interval(gain)} |`]
  })
  return lines.length > 0 ? `| | against | R@5 |\n|---|---|---|\n${lines.join('\n')}` : ''
}

function contexts(results: readonly Result[], asked: readonly Contender[], sets: readonly string[]): string {
  const lines = asked.map(({ name }) => {
    const all = sets.map((set) => summary(results.find((one) => one.contender === name && one.set === set)?.rows ?? []))
    const of = (pick: (one: (typeof all)[number]) => number): string => mean(all.map(pick)).toFixed(1)
    const covered = BUDGETS.map((_, i) => of((one) => one.covered[i] ?? 0)).join(' / ')
    return `| ${name} | ${of((one) => one.density)} | ${covered} | ${of((one) => one.em)} / ${of((one) => one.f1)} / ${of((one) => one.accuracy)} | ${of((one) => one.tokens)} | ${of((one) => one.p50)} |`
  })
  return `Means over the sets: recall@5 per 1,000 tokens of its evidence; answer in the context at ${BUDGETS.join(' / ')} tokens; the best sentence as answer.\n\n| | R@5 per 1,000 tokens | answer covered | EM / F1 / contained | tokens | ms p50 |\n|---|---|---|---|---|---|\n${lines.join('\n')}\n`
}

const plot = { width: 760, left: 190, bar: 12, gap: 8, top: 30 } as const

/** Mean recall@5 of every contender, bars; the best baseline as a line. */
export function svg(results: readonly Result[], asked: readonly Contender[]): string {
  const conditions = [true, false].filter((titles) => results.some((one) => one.titles === titles))
  const value = (name: string, titles: boolean): number =>
    mean(results.filter((one) => one.contender === name && one.titles === titles).map((one) => summary(one.rows).recall5))
  const step = conditions.length * plot.bar + plot.gap
  const x = (share: number): number => plot.left + (share * (plot.width - plot.left - 50)) / 100
  const bars = asked.flatMap(({ name }, i) => [
    `<text x="${plot.left - 8}" y="${plot.top + i * step + plot.bar}" text-anchor="end">${name}</text>`,
    ...conditions.map((titles, j) => {
      const y = plot.top + i * step + j * plot.bar
      const share = value(name, titles)
      return `<rect x="${plot.left}" y="${y}" width="${(x(share) - plot.left).toFixed(1)}" height="${plot.bar - 2}" fill="${titles ? '#2f6f4f' : '#b58a3c'}"/><text x="${(x(share) + 4).toFixed(1)}" y="${y + plot.bar - 3}">${share.toFixed(1)}</text>`
    }),
  ])
  const height = plot.top + asked.length * step + 10
  const legend = `<text x="${plot.left}" y="16">mean recall@5: ${conditions.map((titles) => (titles ? 'green with titles' : 'ochre without titles')).join(', ')}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${plot.width}" height="${height}" font-family="sans-serif" font-size="11">${legend}${bars.join('')}</svg>\n`
}
