/** What each system adds to `hybrid` on the same questions: recall@5 where a summary or report takes a rank, with paired intervals, and in words whether it is more than chance. */
import type { Contender } from './contenders'
import type { Row } from './measure'
import { type Interval, interval, mean, pairedBootstrap, signed } from './metrics/ranking'

const BASE = 'hybrid'

type RowsOf = (name: string, set: string) => readonly Row[]

/** Empty unless `hybrid` was measured beside others. */
export function additions(asked: readonly Contender[], sets: readonly string[], rowsOf: RowsOf): string {
  const others = asked.filter((one) => one.name !== BASE)
  if (others.length === asked.length || others.length === 0) return ''
  const ranked = (name: string, set: string): number[] => rowsOf(name, set).map((row) => 100 * row.ranked5)
  const documents = (name: string): number => mean(sets.map((set) => mean(rowsOf(name, set).map((row) => 100 * row.recall5))))
  const lines = [BASE, ...others.map((one) => one.name)].map((name) => {
    const pairs = sets.map((set) => ({ a: ranked(name, set), b: ranked(BASE, set) }))
    const cells = pairs.map((pair) => cell(mean(pair.a), name === BASE ? undefined : pairedBootstrap([pair])))
    const whole = mean(pairs.map((pair) => mean(pair.a))).toFixed(1)
    const gain = pairedBootstrap(pairs)
    const last = name === BASE ? ' | ' : `${interval(gain)} | ${verdict(gain)}`
    return `| ${name} | ${cells.join(' | ')} | **${whole}** | ${documents(name).toFixed(1)} | ${last} |`
  })
  const head = `| | ${sets.join(' | ')} | mean | of documents alone | against ${BASE} | |\n|${'---|'.repeat(sets.length + 5)}`
  const note = `What each adds to ${BASE}: recall@5, a summary or report takes a rank; in a set's column the difference, * where its 95 % interval excludes 0.`
  return `${note}\n\n${head}\n${lines.join('\n')}`
}

function cell(value: number, gain: Interval | undefined): string {
  return gain ? `${value.toFixed(1)} (${signed(gain.mean)}${isSure(gain) ? '*' : ''})` : value.toFixed(1)
}

const isSure = ({ low, high }: Interval): boolean => low > 0 || high < 0

function verdict(gain: Interval): string {
  if (!isSure(gain)) return `does not beat ${BASE} by more than chance`
  return gain.mean > 0 ? `beats ${BASE}` : `worse than ${BASE}`
}
