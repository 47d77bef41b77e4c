/** A text model for benches: it replies what GPT-3.5 once extracted from MuSiQue's passages (HippoRAG's record), and counts what it would have been paid. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Brief, Extraction, Reply, Task } from '../../src/core/strategy'
import { nameKey } from '../../src/core/text/names'
import { countTokens } from '../../src/core/text/tokens'
import { taskPrompt } from '../../src/flows/prompts'
import type { Script } from './building'

const STATEMENTS = 3 // triples that make an entity's description: the record has none
const PRICE = { in: 0.15, out: 0.6 } as const // dollars per million tokens of GPT-4o-mini, the paper's model

interface Record {
  readonly text: string
  readonly entities: readonly string[]
  readonly triples: readonly (readonly string[])[]
}

export interface RecordedModel {
  readonly script: Script
  /** Chunks read, tokens, and dollars by the prices of the paper's model. */
  readonly paid: { chunks: number; in: number; out: number; usd: number }
}

export class Recorded {
  readonly #byText: ReadonlyMap<string, Record>
  /** Triples of the record without a subject or an object. */
  readonly incomplete: number
  readonly triples: number

  constructor(folder: string, set: string) {
    const path = join(folder, 'multihop', `${set}.openie-gpt3.5.json`)
    const all = existsSync(path) ? readRecords(path) : []
    this.#byText = new Map(all.map((one) => [nameKey(one.text), one]))
    this.triples = all.reduce((sum, one) => sum + one.triples.length, 0)
    this.incomplete = all.reduce((sum, one) => sum + one.triples.filter(([source, verb, target]) => !source || !verb || !target).length, 0)
  }

  /** `within`: texts whose records speak for a chunk; absent: the chunk's own. `describes`: false leaves out all but names. */
  model(within: (chunk: string) => readonly string[] = (chunk) => [chunk], describes = true): RecordedModel {
    const paid = { chunks: 0, in: 0, out: 0, usd: 0 }
    const script = (task: Task, brief: Brief): Reply | undefined => {
      if (brief.kind !== 'extract') return undefined
      const all = extracted(within(brief.text).flatMap((text) => this.#byText.get(nameKey(text)) ?? []))
      const extraction = describes ? all : undescribed(all)
      const read = taskPrompt(brief).messages.reduce((sum, one) => sum + countTokens(one.content), 0)
      const written = countTokens(JSON.stringify({ entities: extraction.entities, relations: extraction.relations }))
      paid.chunks++
      paid.in += read
      paid.out += written
      paid.usd += (read * PRICE.in + written * PRICE.out) / 1e6
      return { node: task.node, input: task.input, kind: 'extract', extraction }
    }
    return { script, paid }
  }
}

function readRecords(path: string): Record[] {
  const file = JSON.parse(readFileSync(path, 'utf8').replace(/: NaN/g, ': null')) as {
    docs: readonly { text: string; extracted_entities: string[]; extracted_triples: string[][] }[]
  }
  return file.docs.map((one) => ({ text: one.text, entities: one.extracted_entities, triples: one.extracted_triples }))
}

function undescribed({ units, entities, relations }: Extraction): Extraction {
  const bare = <T>(one: T): T => ({ ...one, description: '' })
  return { units, entities: entities.map(bare), relations: relations.map(bare) }
}

/** An entity is described by the first triples it is the subject of. */
function extracted(records: readonly Record[]): Extraction {
  const relations = records.flatMap(({ triples }) =>
    triples.flatMap(([source, verb, target]) =>
      source && verb && target ? [{ source, target, description: `${source} ${verb} ${target}`, strength: 5 }] : [],
    ),
  )
  const names = [...new Set([...records.flatMap((one) => one.entities), ...relations.flatMap((one) => [one.source, one.target])])]
  const told = new Map<string, string[]>()
  for (const { source, description } of relations) told.set(source, [...(told.get(source) ?? []), description].slice(0, STATEMENTS))
  const entities = names.map((name) => ({ name, type: '', description: (told.get(name) ?? []).join('. ') }))
  return { units: [], entities, relations }
}
