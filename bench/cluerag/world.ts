/** What the benches of Clue-RAG share: variants measured on the multi-hop sets, each beside another with a paired interval, as a table. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { ClueSettings } from '../../src/core/strategies/cluerag/settings'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import type { Builder, Strategy } from '../../src/core/strategy'
import { divide } from '../../src/core/text/divide'
import { cosine } from '../../src/core/vectors'
import { embedStatic, minilm } from '../lib/encoders'
import { type Corpus, corpus, dataFolder, MULTIHOP } from '../quality/corpora'
import { type Asking, type Embedding, type Index, indexed } from '../quality/memory'
import { interval, mean, pairedBootstrap, recall } from '../quality/metrics/ranking'
import type { Rerank } from '../quality/reranker'

export interface Variant {
  readonly name: string
  readonly strategy: Strategy
  readonly own?: NonNullable<Asking['own']>
  readonly anchors?: ClueSettings['anchors']
  /** The variant it is compared with. */
  readonly against?: string
  /** What the paper has for it. */
  readonly paper?: string
  readonly rerank?: Rerank
}

const { values } = parseArgs({
  strict: false,
  options: {
    data: { type: 'string' },
    embedding: { type: 'string', default: 'static' },
    titles: { type: 'string', default: 'yes' },
    sets: { type: 'string', default: MULTIHOP.join(',') },
    out: { type: 'string', default: join('bench', 'results') },
  },
})
export const folder = dataFolder(values.data as string | undefined)
export const titles = values.titles === 'yes'
export const embedding = values.embedding as Embedding
export const sets = String(values.sets).split(',')

/** A sentence encoder in the place of the cross-encoder that no package ships: it reads question and text apart, which a cross-encoder does not. */
export const encoderAsReranker: Rerank = async (question, texts) => {
  const embed = embedding === 'static' ? embedStatic : minilm(process.env.TEACHER_PYTHON ?? 'python3')
  const [asked, ...vectors] = await embed([question, ...texts])
  return vectors.map((vector) => (1 + cosine(asked ?? [], vector)) / 2)
}

/** Texts of a corpus' sentences as a walk reads them. */
export function unitTexts({ passages }: Corpus): string[] {
  return passages.flatMap((one) =>
    divide({ title: one.title, text: one.text }, defaultSettings.chunking).chunks.flatMap((chunk) =>
      chunk.units.map((unit) => `${chunk.name ? `${chunk.name}: ` : ''}${chunk.text.slice(unit.start, unit.end)}`),
    ),
  )
}

/** Recall@5 of every question, in per cent, by variant and set. */
export type Measured = ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>

export async function measure(variants: readonly Variant[], builders: readonly Builder[]): Promise<Measured> {
  const out = new Map<string, Map<string, readonly number[]>>(variants.map(({ name }) => [name, new Map()]))
  for (const set of sets) {
    const data = corpus(folder, set, titles)
    const index = await indexed(data, embedding, builders)
    for (const variant of variants) {
      const found = await recalls(index, variant, data.questions)
      out.get(variant.name)?.set(set, found)
      console.log(`${set.padEnd(20)} ${variant.name.padEnd(44)} ${mean(found).toFixed(1)}`)
    }
  }
  return out
}

async function recalls(
  index: Index,
  { strategy, own = {}, anchors, rerank }: Variant,
  questions: readonly { readonly text: string; readonly gold: readonly string[] }[],
): Promise<number[]> {
  const settings = anchors ? { ...defaultSettings, cluerag: { ...defaultSettings.cluerag, anchors } } : defaultSettings
  const found: number[] = []
  for (const { text, gold } of questions) {
    const { documents } = await index.ask(strategy, text, { topK: 100, own, settings, ...(rerank ? { rerank } : {}) })
    found.push(100 * recall(documents, gold, 5))
  }
  return found
}

export function table(title: string, variants: readonly Variant[], measured: Measured): string {
  const of = (name: string, set: string): readonly number[] => measured.get(name)?.get(set) ?? []
  const rows = variants.map(({ name, against, paper }) => {
    const cells = sets.map((set) => mean(of(name, set)).toFixed(1))
    const whole = mean(sets.map((set) => mean(of(name, set)))).toFixed(1)
    const gain = against ? pairedBootstrap(sets.map((set) => ({ a: of(name, set), b: of(against, set) }))) : undefined
    const difference = gain ? `${interval(gain)} on ${against}` : ''
    return `| ${name} | ${cells.join(' | ')} | **${whole}** | ${difference} | ${paper ?? ''} |`
  })
  return `## ${title}\n\n| | ${sets.join(' | ')} | mean | difference | the paper |\n|${'---|'.repeat(sets.length + 4)}\n${rows.join('\n')}\n`
}

export function report(name: string, text: string): void {
  const out = String(values.out)
  mkdirSync(out, { recursive: true })
  writeFileSync(join(out, `${name}-${embedding}${titles ? '' : '-untitled'}.md`), text)
  console.log(`\n${text}`)
}
