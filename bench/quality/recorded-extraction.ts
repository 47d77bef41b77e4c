/** A text model for benches: it replies what GPT-3.5 once extracted from MuSiQue's passages (HippoRAG's record), and counts what it would have been paid. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Brief, Extraction, Reply, Task } from '../../src/core/strategy'
import { nameKey } from '../../src/core/text/names'
import { countTokens } from '../../src/core/text/tokens'
import { taskPrompt } from '../../src/flows/prompts'
import type { Script } from './building'

/** Triples that make an entity's description, of which the record has none: `short`, the first it is the subject of; `full`, all that name it, and a type where one says what it is. */
const STATEMENTS = { none: 0, short: 3, full: Number.POSITIVE_INFINITY } as const
const TYPED = /^(?:is|was) ?(?:an?|the)?$/i // verbs whose object says what the subject is
const PRICE = { in: 0.15, out: 0.6 } as const // dollars per million tokens of GPT-4o-mini, the paper's model

interface Record {
  readonly text: string
  readonly entities: readonly string[]
  readonly triples: readonly (readonly string[])[]
}

export type Described = keyof typeof STATEMENTS

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

  /** `within`: texts whose records speak for a chunk; absent: the chunk's own. */
  model(within: (chunk: string) => readonly string[] = (chunk) => [chunk], described: Described = 'short'): RecordedModel {
    const paid = { chunks: 0, in: 0, out: 0, usd: 0 }
    const script = (task: Task, brief: Brief): Reply | undefined => {
      if (brief.kind !== 'extract') return undefined
      const all = extracted(
        within(brief.text).flatMap((text) => this.#byText.get(nameKey(text)) ?? []),
        described,
      )
      const extraction = described === 'none' ? undescribed(all) : all
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

function extracted(records: readonly Record[], described: Described): Extraction {
  const relations = records.flatMap(({ triples }) =>
    triples.flatMap(([source, verb, target]) =>
      source && verb && target ? [{ source, target, description: `${source} ${verb} ${target}`, strength: 5 }] : [],
    ),
  )
  const names = [...new Set([...records.flatMap((one) => one.entities), ...relations.flatMap((one) => [one.source, one.target])])]
  const statements = new Map<string, string[]>()
  for (const { source, target, description } of relations) {
    for (const name of described === 'full' ? new Set([source, target]) : [source])
      statements.set(name, [...(statements.get(name) ?? []), description].slice(0, STATEMENTS[described]))
  }
  const types = described === 'full' ? typesOf(records) : new Map<string, string>()
  const entities = names.map((name) => ({ name, type: types.get(name) ?? '', description: (statements.get(name) ?? []).join('. ') }))
  return { units: [], entities, relations }
}

function typesOf(records: readonly Record[]): ReadonlyMap<string, string> {
  const types = new Map<string, string>()
  for (const [source, verb, target] of records.flatMap(({ triples }) => triples)) {
    if (source && verb && target && TYPED.test(verb) && !types.has(source)) types.set(source, target)
  }
  return types
}
