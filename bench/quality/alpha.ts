/**
 * Clue-RAG's α and selector without a model: chunks that are chosen get the extraction a real model once made of them (its triples as short
 * sentences without pronouns). Prints recall@5 of the lexical walk for each share and selector.
 *   node scripts/run-ts.mjs bench/quality/alpha.ts --data <folder> [--titles yes|no]
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { cluerag } from '../../src/core/strategies/cluerag/cluerag'
import { core, coreOf } from '../../src/core/strategies/cluerag/core'
import { ledgerOf } from '../../src/core/strategies/cluerag/ledger'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import { DIMENSIONS } from '../lib/embeddings'
import { byChance } from '../variants/cluerag'
import type { Script } from './building'
import { corpus, dataFolder } from './corpora'
import { indexed } from './memory'
import { mean, recall } from './metrics/ranking'

const { values } = parseArgs({
  options: { data: { type: 'string' }, titles: { type: 'string', default: 'yes' }, embedding: { type: 'string', default: 'use-lite' } },
})
const folder = dataFolder(values.data)
const data = corpus(folder, 'musique_train100', values.titles === 'yes')
// Written by Python: it may hold a bare NaN, which JSON does not know.
const text = readFileSync(join(folder, 'multihop/musique_train100.openie-gpt3.5.json'), 'utf8').replace(/: NaN\b/g, ': null')
const recorded = JSON.parse(text) as { docs: { text: string; extracted_triples: unknown[][] }[] }
const triples = new Map(recorded.docs.map((one) => [one.text, one.extracted_triples]))

const script: Script = (task, brief) => {
  if (brief.kind !== 'extract') return undefined
  const texts = (triples.get(brief.text) ?? []).filter((one) => one.length === 3).map((one) => `${one.join(' ')}.`)
  const units = texts.map((text) => ({ text, vector: new Int8Array(DIMENSIONS) }))
  return { node: task.node, input: task.input, kind: 'extract', extraction: { units, entities: [], relations: [] } }
}

const selectors = [
  { name: 'bleu', selector: 'bleu', core },
  { name: 'cosine', selector: 'cosine', core },
  { name: 'random', selector: 'cosine', core: coreOf(byChance) },
] as const
for (const { name, selector, core: chosen } of selectors) {
  const builders = cluerag.builders.map((one) => ({ ...(one === core ? chosen : one), unitVectors: false }))
  for (const alpha of [0, 0.25, 0.5, 0.75, 1]) {
    const index = await indexed(data, values.embedding === 'none' ? 'none' : 'use-lite', builders)
    const replies = await index.consolidate({ ...defaultSettings, writer: true, models: 'recorded', cluerag: { alpha, selector } }, script)
    const found = []
    for (const question of data.questions) found.push(recall((await index.ask(cluerag, question.text)).documents, question.gold, 5))
    const { spent, tokens } = ledgerOf(index.graph)
    console.log(
      `${name.padEnd(7)} α ${alpha.toFixed(2)}: recall@5 ${(100 * mean(found)).toFixed(1)}, ${replies} chunks read, ${((100 * spent) / tokens).toFixed(1)} % of the tokens`,
    )
  }
}
