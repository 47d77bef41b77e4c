/** Passages to read: MuSiQue's with what GPT-3.5 drew from them (HippoRAG's record) where the data is, else documents of our own. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { WORLDS, worldOf } from '../answers/cases'
import { shuffled } from './sampling'

export interface Read {
  readonly title: string
  readonly text: string
  /** What another model drew from it. */
  readonly reference?: { readonly names: readonly string[]; readonly triples: readonly (readonly string[])[] }
}

interface File {
  readonly docs: readonly {
    readonly title: string
    readonly text: string
    readonly extracted_entities: readonly string[]
    readonly extracted_triples: readonly (readonly string[])[]
  }[]
}

const LENGTHS = { min: 200, max: 1200 } as const // characters: what states something, and what two cores read in a second

export function passages(folder: string | undefined): readonly Read[] {
  const path = join(folder ?? '', 'multihop', 'musique_train100.openie-gpt3.5.json')
  if (folder === undefined || !existsSync(path))
    return shuffled(
      WORLDS.flatMap((name) => worldOf(name).passages),
      'models',
    )
  const { docs } = JSON.parse(readFileSync(path, 'utf8').replace(/: NaN/g, ': null')) as File
  const fitting = docs.filter(({ text }) => text.length >= LENGTHS.min && text.length <= LENGTHS.max)
  return shuffled(fitting, 'models').map(({ title, text, extracted_entities: names, extracted_triples: triples }) => ({
    title,
    text,
    reference: { names, triples },
  }))
}
