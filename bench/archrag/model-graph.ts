/**
 * ArchRAG over a graph that a model drew: GPT-3.5's recorded extraction of MuSiQue's passages, half of them at once and ten rounds of growth, with a script
 * that writes each report by quoting, embedded as a model's is. Communities, modularity of each layer, recall of gold documents with and without what
 * the model said of entities and relations, calls, tokens, processor time; layers linked by sums beside those linked by reports (`layer_vectors`).
 *   npm run bench archrag/model-graph -- --data <folder> [--passages 800] [--questions 100] [--ways sums,reports,unaugmented,spectral,spectralUnaugmented,none]
 * `unaugmented` and the spectral ones: steps of bench/variants/archrag.ts; `none`: the same passages without a model.
 */
import { modularity } from '../../src/core/algorithms/modularity'
import { draftOf } from '../../src/core/graph/draft'
import type { GraphReader } from '../../src/core/graph/reader'
import type { Settings } from '../../src/core/settings'
import { archrag } from '../../src/core/strategies/archrag/archrag'
import { archBuilderOf } from '../../src/core/strategies/archrag/build'
import { clusteringOf, parentOf } from '../../src/core/strategies/archrag/clustering-state'
import { type ClusteringSteps, paperSteps } from '../../src/core/strategies/archrag/clustering-steps'
import { graphOf, likeness } from '../../src/core/strategies/archrag/regroup'
import { reportText } from '../../src/core/strategies/archrag/report-input'
import { rowsIn } from '../../src/core/strategies/archrag/rows'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import type { Brief, Reply, Task } from '../../src/core/strategy'
import { countTokens } from '../../src/core/text/tokens'
import { quantize } from '../../src/core/vectors'
import { taskPrompt } from '../../src/flows/prompts'
import { option, type Row, report, round } from '../erarag/world'
import { theStaticEncoder } from '../lib/encoders'
import { load } from '../lib/processor'
import type { Script } from '../quality/building'
import { corpus, dataFolder } from '../quality/corpora'
import { type Index, indexed } from '../quality/memory'
import { Recorded } from '../quality/recorded-extraction'
import { clusteringVariants } from '../variants/archrag'
import { archSettings, measured, recallAt } from './world'

const ROUNDS = 10

const folder = dataFolder(option('data'))
const name = 'musique_train100'
const whole = corpus(folder, name, true)
const questions = whole.questions.slice(0, Number(option('questions') ?? whole.questions.length))
const gold = new Set(questions.flatMap((one) => one.gold))
const passages = [...whole.passages]
  .sort((a, b) => Number(gold.has(b.id)) - Number(gold.has(a.id)) || (a.id < b.id ? -1 : 1))
  .slice(0, Math.max(gold.size, Number(option('passages') ?? whole.passages.length)))
  .sort((a, b) => (a.id < b.id ? -1 : 1))
const recorded = new Recorded(folder, name)

interface Paid {
  readonly calls: Map<string, number>
  tokens: number
}

/** Replies what was recorded, and writes by quoting. */
function scripted(paid: Paid): Script {
  const { script } = recorded.model()
  return (task, brief) => {
    const reply = brief.kind === 'extract' ? script(task, brief) : written(task, brief)
    if (!reply || brief.kind === 'embed' || brief.kind === 'rerank') return undefined
    paid.calls.set(brief.kind, (paid.calls.get(brief.kind) ?? 0) + 1)
    paid.tokens += taskPrompt(brief).messages.reduce((sum, one) => sum + countTokens(one.content), 0)
    return reply
  }
}

function written({ node, input }: Task, brief: Brief): Reply | undefined {
  const encode = (text: string) => quantize(theStaticEncoder().encode(text))
  if (brief.kind === 'report')
    return { node, input, kind: 'report', report: brief.fallback, vector: encode(reportText(brief.fallback)), generator: 'model' }
  if (brief.kind !== 'summarize') return undefined
  return { node, input, kind: 'summarize', text: brief.fallback, vector: encode(brief.fallback), generator: 'model' }
}

/** Modularity and likeness of a layer's communities, by the links it was grouped with. */
function layerQuality(graph: GraphReader, settings: Settings, layer: number, steps: ClusteringSteps): string {
  const clustering = clusteringOf(draftOf(graph), settings.archrag, false, steps)
  const ids = clustering.rows.ids(layer)
  if (ids.length === 0 || rowsIn(graph).ids(layer + 1).length === 0) return '–'
  const numbers = new Map<string, number>()
  const communities = Int32Array.from(ids, (id) => {
    const key = parentOf(graph, id) ?? id
    if (!numbers.has(key)) numbers.set(key, numbers.size)
    return numbers.get(key) ?? 0
  })
  return `${round(modularity(graphOf(clustering, layer, ids).graph, communities), 3)} / ${round(likeness(clustering, layer, ids, communities), 3)}`
}

async function built(
  settings: Settings,
  paid: Paid,
  steps: ClusteringSteps,
): Promise<{ readonly index: Index; readonly first: number; readonly ms: number }> {
  const half = Math.floor(passages.length / 2)
  const own = archBuilderOf(steps)
  const builders = archrag.builders.map((one) => ({ ...(one.name === own.name ? own : one), unitVectors: false }))
  const script = settings.writer ? scripted(paid) : undefined
  const since = process.cpuUsage()
  const index = await indexed({ ...whole, passages: passages.slice(0, half), questions }, 'static', builders, settings, script)
  const first = paid.calls.get('report') ?? 0
  const step = Math.ceil((passages.length - half) / ROUNDS)
  for (let at = half; at < passages.length; at += step) await index.add(passages.slice(at, at + step))
  const { user, system } = process.cpuUsage(since)
  return { index, first, ms: (user + system) / 1000 }
}

const rows: Row[] = []
for (const way of (option('ways') ?? 'sums,reports,none').split(',')) {
  const writer = way !== 'none'
  const steps = way in clusteringVariants ? clusteringVariants[way as keyof typeof clusteringVariants] : paperSteps
  const settings = archSettings(way === 'reports' ? { layerVectors: 'reports' } : {}, {
    writer,
    models: writer ? 'recorded' : 'none',
    ketrag: { ...defaultSettings.ketrag, share: 1 },
  })
  const paid: Paid = { calls: new Map(), tokens: 0 }
  const { index, first, ms } = await built(settings, paid, steps)
  const { graph } = index
  const { entities, modularity: lowest, chi, sim } = measured(graph, settings.archrag, steps)
  const relations = graph.page('entity', '', 1e9).reduce((sum, id) => sum + graph.edges('relates', id).length, 0) / 2
  const { ms: search, ...recall } = await recallAt(index, archrag, questions, {})
  const bare = await recallAt(index, archrag, questions, { own: { descriptions: false } })
  const entitiesAlone = await recallAt(index, archrag, questions, { own: { passages: false } })
  const reports = paid.calls.get('report') ?? 0
  rows.push({
    way,
    passages: passages.length,
    entities,
    relations,
    communities: [1, 2, 3, 4].map((layer) => graph.count('community', layer)).join(' · '),
    modularity: round(lowest, 3),
    CHI: round(chi, 1),
    Sim: round(sim, 3),
    'layer 1': layerQuality(graph, settings, 1, steps),
    'layer 2': layerQuality(graph, settings, 2, steps),
    ...recall,
    'R@5 without descriptions': bare['R@5'],
    'R@5 without the passage channel': entitiesAlone['R@5'],
    'ms a search': search,
    extractions: paid.calls.get('extract') ?? 0,
    'reports, half': first,
    'reports, growth': reports - first,
    merges: paid.calls.get('summarize') ?? 0,
    'tokens read': paid.tokens,
    'processor s, encoder included': round(ms / 1000, 1),
  })
  console.log(JSON.stringify(rows.at(-1)))
}
report('archrag-model-graph', `${name}, GPT-3.5's extraction, ${questions.length} questions, ${load()}`, rows)
