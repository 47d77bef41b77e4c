/**
 * What beginning by vectors costs (`anchors: "vectors"`): the corpus object in Node over its own tables, with anchors by name and by vector, on long
 * documents and on paragraphs. Processor time and rows a chunk, vectors that the index holds beside those of passages, texts embedded, and a question.
 *   npm run bench cluerag/cost -- --data <folder> [--passages 3000]
 */
import { parseArgs } from 'node:util'
import { retrieve } from '../../durable-objects/corpus/query/retrieve'
import { INDEXED_UNITS, NAME_VECTORS } from '../../src/core/builders/entry-vectors'
import { namesSaid } from '../../src/core/channels/names'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import { nameKey } from '../../src/core/text/names'
import { quantize } from '../../src/core/vectors'
import { STATIC_DIMENSIONS, theStaticEncoder } from '../lib/encoders'
import { localObject } from '../lib/object'
import { load } from '../lib/processor'
import { corpus, dataFolder, longDocuments, MULTIHOP, type Passage } from '../quality/corpora'
import { quantile } from '../system/loam'

const BATCH = 20 // documents
const QUESTIONS = 100
const PAGE = 1e9

const { values } = parseArgs({ options: { data: { type: 'string' }, passages: { type: 'string', default: '3000' } } })
const folder = dataFolder(values.data)
const sets = MULTIHOP.map((name) => corpus(folder, name, true))
const texts: Readonly<Record<string, readonly Passage[]>> = {
  'long documents': longDocuments(folder),
  paragraphs: sets.flatMap((set) => set.passages.map((one) => ({ ...one, id: `${set.name} ${one.id}` }))),
}
const questions = sets.flatMap((set) => set.questions).slice(0, QUESTIONS)

function measure(documents: readonly Passage[], anchors: 'names' | 'vectors'): Readonly<Record<string, number>> {
  const settings = { dimensions: STATIC_DIMENSIONS, cluerag: { ...defaultSettings.cluerag, anchors } }
  const { context, ingest } = localObject(['cluerag'], settings)
  const { graph } = context
  const embedding = { texts: 0, ms: 0 }
  const embed = (list: readonly string[]): Int8Array[] => {
    const since = process.cpuUsage()
    const vectors = list.map((text) => quantize(theStaticEncoder().encode(text)))
    embedding.texts += list.length
    embedding.ms += spent(since)
    return vectors
  }
  const since = process.cpuUsage()
  for (let at = 0; at < documents.length && graph.count('passage') < Number(values.passages); at += BATCH)
    ingest(
      documents.slice(at, at + BATCH).map((one) => ({ ...one, url: null, metadata: {} })),
      embed,
    )
  const [all, chunks] = [spent(since) - embedding.ms, graph.count('chunk')]
  const units = graph.values(INDEXED_UNITS, '', PAGE).reduce((sum, one) => sum + Number(one.value), 0)
  const names = graph.values(NAME_VECTORS, '', PAGE).length
  const times = questions.map(({ text }) => {
    const [vector] = embed([text])
    const said = namesSaid(text).slice(0, 4)
    const near = {
      passage: graph.nearest(vector as Int8Array, 'passage', 100),
      ...(anchors === 'vectors' ? { unit: graph.nearest(vector as Int8Array, 'unit', 24) } : {}),
    }
    const vectors = embed(said.map(nameKey))
    const asked = anchors === 'vectors' ? { names: said.map((name, i) => ({ text: name, vector: vectors[i] as Int8Array, near: [] })) } : {}
    const before = process.cpuUsage()
    retrieve(context, {
      strategy: 'cluerag',
      text,
      vector: vector as Int8Array,
      near,
      ...asked,
      topK: 20,
      budget: 4000,
      trace: false,
      options: {},
    })
    return spent(before)
  })
  return {
    chunks,
    'ms a chunk': all / chunks,
    'rows a chunk': graph.rowsWritten / chunks,
    'passages a chunk': graph.count('passage') / chunks,
    'units indexed a chunk': units / chunks,
    'names indexed a chunk': names / chunks,
    'texts embedded a chunk': embedding.texts / chunks,
    'embedding, ms a chunk': embedding.ms / chunks,
    'question, ms p50': quantile(times, 0.5),
    'question, ms p95': quantile(times, 0.95),
  }
}

function spent(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

for (const [name, documents] of Object.entries(texts)) {
  const [names, vectors] = [measure(documents, 'names'), measure(documents, 'vectors')]
  console.log(`\n${name}, ${load()}\n\n| | names | vectors |\n|---|---|---|`)
  for (const [what, value] of Object.entries(names)) console.log(`| ${what} | ${value.toFixed(1)} | ${(vectors[what] ?? 0).toFixed(1)} |`)
}
