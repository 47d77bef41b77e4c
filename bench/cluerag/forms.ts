/**
 * How Clue-RAG's graph is extracted (Figure 5, Table 3, Table 6, Figure 7d), without a model: chunks that are chosen get the extraction that GPT-3.5
 * once made of them (its triples as short sentences without pronouns). For each share α and selector: tokens of the product's own prompts
 * and of those replies, what the graph then holds, and recall@5 of three walks. The last line is what triples straight from the chunks would cost.
 *   npm run bench cluerag/forms -- --data <folder> [--titles yes|no]
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mentionsOf } from '../../src/core/builders/mention-list'
import { writtenUnits } from '../../src/core/builders/units'
import { cluerag } from '../../src/core/strategies/cluerag/cluerag'
import { core, coreOf } from '../../src/core/strategies/cluerag/core'
import { ledgerOf } from '../../src/core/strategies/cluerag/ledger'
import type { ClueSettings } from '../../src/core/strategies/cluerag/settings'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import type { Brief } from '../../src/core/strategy'
import { countTokens } from '../../src/core/text/tokens'
import { quantize } from '../../src/core/vectors'
import { taskPrompt } from '../../src/flows/prompts'
import { theStaticEncoder } from '../lib/encoders'
import type { Script } from '../quality/building'
import { corpus } from '../quality/corpora'
import { type Asking, type Index, indexed } from '../quality/memory'
import { mean, recall } from '../quality/metrics/ranking'
import { byChance } from '../variants/cluerag'
import { folder, report, titles } from './world'

const SHARES = [0, 0.25, 0.5, 0.75, 1]
const WALKS: readonly (readonly [ClueSettings['anchors'], NonNullable<Asking['own']>])[] = [
  ['names', {}],
  ['vectors', {}],
  ['vectors', { scorer: 'embedding' }],
]
const data = corpus(folder, 'musique_train100', titles)
// Written by Python: it may hold a bare NaN, which JSON does not know.
const text = readFileSync(join(folder, 'multihop/musique_train100.openie-gpt3.5.json'), 'utf8').replace(/: NaN\b/g, ': null')
const recorded = JSON.parse(text) as { docs: { text: string; extracted_triples: unknown[][] }[] }
const triples = new Map(recorded.docs.map((one) => [one.text, one.extracted_triples.filter((triple) => triple.length === 3)]))

type Asked = Extract<Brief, { readonly kind: 'extract' }>

const unitsOf = (chunk: string): string[] => (triples.get(chunk) ?? []).map((one) => `${one.join(' ')}.`)
const asked = (brief: Asked): number => taskPrompt(brief).messages.reduce((sum, one) => sum + countTokens(one.content), 0)

/** The form of the paper's rivals: entities and relations straight from every chunk. */
function triplesCost(index: Index): readonly [number, number] {
  const costs = index.graph.page('chunk', '', 1e6).flatMap((id) => {
    const chunk = index.graph.chunk(id)
    if (!chunk) return []
    const own = triples.get(chunk.text) ?? []
    const names = [...new Set(own.flatMap(([source, , target]) => [source, target]))]
    const reply = {
      entities: names.map((name) => ({ name, type: 'thing', description: '' })),
      relations: own.map(([source, description, target]) => ({ source, target, description, strength: 5 })),
    }
    const brief = { kind: 'extract', name: chunk.name, text: chunk.text, want: { units: false, graph: true } } as const
    return [[asked(brief), countTokens(JSON.stringify(reply))] as const]
  })
  return [costs.reduce((sum, one) => sum + one[0], 0), costs.reduce((sum, one) => sum + one[1], 0)]
}

async function recallOf(index: Index, anchors: ClueSettings['anchors'], own: NonNullable<Asking['own']>): Promise<string> {
  const settings = { ...defaultSettings, cluerag: { ...defaultSettings.cluerag, anchors } }
  const found: number[] = []
  for (const question of data.questions) {
    const { documents } = await index.ask(cluerag, question.text, { topK: 100, own, settings })
    found.push(recall(documents, question.gold, 5))
  }
  return (100 * mean(found)).toFixed(1)
}

/** What of each kind there is for a chunk. */
function graphOf({ graph }: Index): string {
  const chunks = graph.page('chunk', '', 1e6).flatMap((id) => graph.chunk(id) ?? [])
  const units = chunks.reduce((sum, chunk) => sum + (writtenUnits(graph, chunk.id).length || chunk.units.length), 0)
  const mentions = chunks.reduce((sum, chunk) => sum + mentionsOf(graph, chunk.id).length, 0)
  const each = (count: number): string => (count / chunks.length).toFixed(1)
  return `${each(units)} | ${each(graph.count('entity'))} | ${each(mentions)}`
}

const lines: string[] = []
let last: Index | undefined
for (const selector of ['cosine', 'bleu', 'random'] as const) {
  const chosen = selector === 'random' ? coreOf(byChance) : core
  for (const alpha of SHARES) {
    if ((alpha === 0 || alpha === 1) && selector !== 'cosine') continue // nothing, or all, whoever chooses
    const cost = { in: 0, out: 0 }
    const script: Script = (task, brief) => {
      if (brief.kind !== 'extract') return undefined
      const texts = unitsOf(brief.text)
      cost.in += asked(brief)
      cost.out += countTokens(JSON.stringify({ knowledge_units: texts }))
      const units = texts.map((one) => ({ text: one, vector: quantize(theStaticEncoder().encode(one)) }))
      return { node: task.node, input: task.input, kind: 'extract', extraction: { units, entities: [], relations: [] } }
    }
    const index = await indexed(
      data,
      'static',
      cluerag.builders.map((one) => (one === core ? chosen : one)),
    )
    const own = { ...defaultSettings.cluerag, alpha, selector: selector === 'random' ? ('cosine' as const) : selector }
    await index.consolidate({ ...defaultSettings, writer: true, models: 'recorded', cluerag: own }, script)
    const recalls: string[] = []
    for (const [anchors, options] of WALKS) recalls.push(await recallOf(index, anchors, options))
    const { spent, tokens } = ledgerOf(index.graph)
    const share = ((100 * spent) / tokens).toFixed(0)
    lines.push(`| ${alpha} | ${selector} | ${share} % | ${cost.in} + ${cost.out} | ${graphOf(index)} | ${recalls.join(' | ')} |`)
    console.log(lines.at(-1))
    last = index
  }
}
const [read, written] = last ? triplesCost(last) : [0, 0]
lines.push(`| triples from every chunk | | 100 % | ${read} + ${written} | | | | | | |`)
const head =
  '| α | chosen by | read | tokens in + out | units a chunk | entities a chunk | mentions a chunk | names, terms | vectors, terms | vectors, cosine |'
report('cluerag-forms', `${head}\n|${'---|'.repeat(10)}\n${lines.join('\n')}\n`)
