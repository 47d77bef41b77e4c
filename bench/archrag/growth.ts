/**
 * Grown against built at once: half of a corpus, then ten rounds of 5 %. Report calls, eager and lazy (50 questions a round, what they meet is written), beside those of
 * rebuilding every round; quality of the communities and recall of evidence at the end beside a full build; the floor 1−(1−f)^s.
 * With `--by 1,5,300` a corpus that grows from nothing by so many documents at a time instead, and the same clustered anew.
 * Entities' vectors are their passages', which are a fifth to embed.
 *   npm run bench archrag/growth -- --data <folder> [--set musique_train100] [--passages 400] [--questions 40] [--by 1,…] [--encoder static|use-lite]
 */
import { clusterAnew } from '../../src/core/strategies/archrag/build'
import { option, type Row, report, round } from '../erarag/world'
import { load } from '../lib/processor'
import { corpus, dataFolder } from '../quality/corpora'
import { answered, arriving, type GrowingEncoder, type World, withBelow, world } from './growing'
import { measured } from './world'

const set = corpus(dataFolder(option('data')), option('set') ?? 'musique_train100', true)
const questions = set.questions.slice(0, Number(option('questions') ?? 40))
const probes = set.questions.slice(0, 50)
const encoder = (option('encoder') ?? 'static') as GrowingEncoder
const { documents, asked } = await arriving(set, questions, probes, { wanted: Number(option('passages') ?? 400), encoder })
const by = option('by')
if (by) stepwise(by.split(',').map(Number))
else rounds()

function qualityOf(one: World): Row {
  const { entities, communities, modularity, chi, sim } = measured(one.graph, one.settings.archrag)
  return {
    entities,
    communities,
    layers: [1, 2, 3, 4].map((layer) => one.graph.count('community', layer)).join(' · '),
    modularity: round(modularity, 4),
    CHI: round(chi, 2),
    Sim: round(sim, 4),
    'R@5': round(answered(one, questions, asked).recall, 1),
    questions: questions.length,
  }
}

/** From nothing, so many documents a commit; then what clustering all of it anew makes of the last. */
function stepwise(sizes: readonly number[]): void {
  const rows: Row[] = []
  const row = (way: string, one: World, more: Row = {}): void => {
    rows.push({ way, ...qualityOf(one), calls: one.calls(), ...more })
    console.log(JSON.stringify(rows.at(-1)))
  }
  for (const size of sizes) {
    const one = world({}, encoder)
    const start = performance.now()
    for (let at = 0; at < documents.length; at += size) {
      one.add(documents.slice(at, at + size))
      one.settle()
    }
    row(size >= documents.length ? 'at once' : `by ${size}`, one, { seconds: round((performance.now() - start) / 1000, 1) })
    if (size !== sizes.at(-1)) continue
    one.graph.apply(clusterAnew(one.graph, one.settings).patch)
    row('the same, clustered anew', one)
  }
  report('archrag-growth-steps', `${set.name}, ${encoder}, ${documents.length} documents from nothing, ${load()}`, rows)
}

function rounds(): void {
  const half = Math.floor(documents.length / 2)
  const step = Math.floor(documents.length / 20)
  const rows: Row[] = []
  let rebuilt = 0
  const eager = world({}, encoder)
  const lazy = world({ writing: 'lazy' }, encoder)
  for (const one of [eager, lazy]) {
    one.add(documents.slice(0, half))
    one.settle()
  }
  const [eagerStart, lazyStart] = [eager.calls(), lazy.calls()]
  for (let roundNumber = 1; roundNumber <= 10; roundNumber++) {
    const upto = half + roundNumber * step
    const before = [eager.calls(), lazy.calls()] as const
    eager.add(documents.slice(upto - step, upto))
    eager.settle()
    lazy.add(documents.slice(upto - step, upto))
    const { stale } = answered(lazy, probes, asked)
    lazy.settle(withBelow(lazy.graph, stale))
    const full = world({}, encoder)
    full.add(documents.slice(0, upto))
    full.settle()
    rebuilt += full.calls()
    rows.push({
      round: roundNumber,
      documents: upto,
      rebuilt: full.calls(),
      eager: eager.calls() - before[0],
      lazy: lazy.calls() - before[1],
    })
    console.log(JSON.stringify(rows.at(-1)))
    if (roundNumber < 10) continue
    const f = step / upto
    const lowest = full.graph.count('community', 1)
    const size = full.graph.count('entity') / lowest
    for (const [way, one] of [
      ['grown', eager],
      ['full', full],
    ] as const) {
      rows.push({ way, ...qualityOf(one) })
      console.log(JSON.stringify(rows.at(-1)))
    }
    full.graph.apply(clusterAnew(full.graph, full.settings).patch)
    rows.push({ way: 'clustered anew', ...qualityOf(full) })
    console.log(JSON.stringify(rows.at(-1)))
    rows.push({
      way: 'share of rebuilding',
      eager: round((eager.calls() - eagerStart) / rebuilt, 3),
      lazy: round((lazy.calls() - lazyStart) / rebuilt, 3),
      'floor 1−(1−f)^s': round(1 - (1 - f) ** size, 3),
    })
    console.log(JSON.stringify(rows.at(-1)))
  }
  report('archrag-growth', `${set.name}, ${encoder}, ${documents.length} documents: half at once, then ten rounds of 5 %, ${load()}`, rows)
}
