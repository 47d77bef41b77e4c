/**
 * Fits the scorer of `auto` to the pools that `quality/fit/dump` wrote, and says what it and each of its features are worth on sets it was not fitted on.
 *   npm run bench quality/fit -- --pools <folder> [--sets dev_2wiki,…] [--without vector+path,…]
 * Each set is judged by weights fitted on the others. `--without`: features that the fit does without, together, each list a row against the whole; absent:
 * each feature by itself. Recall at 5 (and 2) by document, with the 95 % interval of a paired bootstrap against the channels' sum and against the weights that serve.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { orderEvidence } from '../../../src/core/strategies/auto/evidence-ranking'
import { FEATURES, type Features } from '../../../src/core/strategies/auto/pool'
import { scorer, trustIn } from '../../../src/core/strategies/auto/scorer'
import { MULTIHOP } from '../corpora'
import { type Example, fitWeights } from '../metrics/listwise'
import { interval, mean, pairedBootstrap, recall } from '../metrics/ranking'

const { values } = parseArgs({
  options: {
    pools: { type: 'string', default: join('bench', 'results', 'pools') },
    sets: { type: 'string', default: MULTIHOP.join(',') },
    without: { type: 'string', default: FEATURES.join(',') },
  },
})

/** A line of a dump. */
interface Line {
  readonly gold: readonly string[]
  /** Question says a document's name, and the channels' weights. */
  readonly weights: readonly [named: number, dense: number, paths: number, links: number]
  /** Rarity of each of the question's terms. */
  readonly w: readonly number[]
  readonly sum: readonly string[]
  readonly hybrid: readonly string[]
  readonly shares: { readonly [passage: string]: number }
  readonly candidates: readonly { readonly id: string; readonly d: string; readonly m: number; readonly f: readonly number[] }[]
}

interface Question {
  readonly line: Line
  readonly example: Omit<Example, 'weight'>
  readonly known: readonly { readonly id: string; readonly covers: number; readonly features: Features }[]
}

/** A set under one condition. */
interface Pools {
  readonly set: string
  readonly condition: string
  readonly questions: readonly Question[]
}

type Weights = typeof scorer

const all = readdirSync(values.pools)
  .filter((name) => name.endsWith('.jsonl'))
  .sort()
  .map((name): Pools => {
    const [set = '', ...condition] = name.replace('.jsonl', '').split('-')
    const lines = readFileSync(join(values.pools, name), 'utf8').trim().split('\n')
    return { set, condition: condition.join(' '), questions: lines.map((line) => questionOf(JSON.parse(line) as Line)) }
  })
const sets = values.sets.split(',')
const fitting = all.filter((one) => sets.includes(one.set))

function questionOf(line: Line): Question {
  const gold = new Set(line.gold)
  const direct = line.candidates.map(({ id }) => line.shares[id] ?? 0)
  const best = new Map<string, number>()
  line.candidates.forEach(({ d }, i) => {
    if (gold.has(d) && (direct[i] ?? 0) > (direct[best.get(d) ?? -1] ?? -1)) best.set(d, i)
  })
  return {
    line,
    example: {
      features: Float64Array.from(line.candidates.flatMap((one) => one.f)),
      wanted: [...best.values()],
      others: line.candidates.flatMap(({ d }, i) => (gold.has(d) ? [] : [i])),
    },
    known: line.candidates.map(({ id, m, f }) => ({
      id,
      covers: m,
      features: Object.fromEntries(FEATURES.map((name, i) => [name, f[i] ?? 0])) as Features,
    })),
  }
}

function fitOn(from: readonly Pools[], without: readonly string[] = []): Weights {
  const used = FEATURES.map((name) => !without.includes(name))
  const weights = fitWeights(
    from.flatMap(({ questions }) => questions.map(({ example }) => ({ ...example, weight: 1 / questions.length }))),
    used,
  )
  return Object.fromEntries(FEATURES.map((name, i) => [name, Number((weights[i] ?? 0).toFixed(2))])) as Weights
}

/** Documents of a question, best first, as `auto` orders them. Where the graph is not trusted, the channels' sum. */
function documentsOf({ line, known }: Question, weights: Weights): readonly string[] {
  const total = line.w.reduce((sum, one) => sum + one, 0) || 1
  const share = (covers: number): number => line.w.reduce((sum, one, i) => (covers & (1 << i) ? sum + one : sum), 0) / total
  const trust = trustIn(known.reduce((most, { features }) => Math.max(most, features.named, features.out), 0))
  if (trust === 0) return line.sum
  const ranking = orderEvidence(known, { trust, own: new Map(Object.entries(line.shares)), share, weights })
  const documents = new Map(line.candidates.map((one) => [one.id, one.d]))
  return [...new Set(ranking.map((hit) => documents.get(hit.id) ?? ''))]
}

const recalls = ({ questions }: Pools, of: (question: Question) => readonly string[], k = 5): number[] =>
  questions.map((question) => 100 * recall(of(question), question.line.gold, k))

interface Recalls {
  readonly at2: number[]
  readonly at5: number[]
}

/** Of each set, by weights fitted without it. */
function leftOut(without: readonly string[] = []): Map<Pools, Recalls> {
  const weights = new Map(
    sets.map((set) => [
      set,
      fitOn(
        fitting.filter((one) => one.set !== set),
        without,
      ),
    ]),
  )
  return new Map(
    fitting.map((one) => {
      const ranked = new Map(one.questions.map((question) => [question, documentsOf(question, weights.get(one.set) ?? scorer)]))
      const at = (k: number): number[] => recalls(one, (question) => ranked.get(question) ?? [], k)
      return [one, { at2: at(2), at5: at(5) }]
    }),
  )
}

const conditions = [...new Set(fitting.map((one) => one.condition))]
const whole = leftOut()
console.log('each set by weights fitted on the others (in brackets the sum; hybrid)')
for (const condition of conditions) {
  const own = fitting.filter((one) => one.condition === condition)
  const sums = new Map(own.map((one) => [one, recalls(one, ({ line }) => line.sum)]))
  const shown = own.map((one) => {
    const hybrid = mean(recalls(one, ({ line }) => line.hybrid))
    return `${one.set} ${mean(whole.get(one)?.at5 ?? []).toFixed(1)} (${mean(sums.get(one) ?? []).toFixed(1)}; ${hybrid.toFixed(1)})`
  })
  const groups = own.map((one) => ({ a: whole.get(one)?.at5 ?? [], b: sums.get(one) ?? [] }))
  const overall = mean(own.map((one) => mean(whole.get(one)?.at5 ?? [])))
  console.log(`${condition}: ${shown.join(', ')}; mean ${overall.toFixed(1)}, against the sum ${interval(pairedBootstrap(groups))}`)
}
console.log(`fitted on all: ${JSON.stringify(fitOn(fitting))}`)
for (const names of values.without.split(',')) {
  const without = names.split('+')
  const part = leftOut(without)
  console.log(`without ${names}:`)
  for (const condition of conditions) {
    const own = fitting.filter((one) => one.condition === condition)
    const shown = own.map((one) => `${one.set} ${mean(part.get(one)?.at5 ?? []).toFixed(1)}`)
    const difference = (at: keyof Recalls): string =>
      interval(pairedBootstrap(own.map((one) => ({ a: part.get(one)?.[at] ?? [], b: whole.get(one)?.[at] ?? [] }))))
    console.log(`  ${condition}: against the whole ${difference('at5')}, at 2 ${difference('at2')}; ${shown.join(', ')}`)
  }
  const weights = fitOn(fitting, without)
  console.log(`  fitted on all: ${JSON.stringify(weights)}`)
}
