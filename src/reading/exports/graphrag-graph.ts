/** The graph in Microsoft GraphRAG's Parquet files: entities and relationships, with the text units they were found in. */
import type { ReadBounds } from '../bounds'
import type { Budget } from './exported'
import type { TableFolder } from './graphrag'
import { openParquet, type Row } from './parquet'
import type { PeerEntity, PeerGraph, PeerPassage, PeerRelation } from './peer-graph'

/** Since 2.0, and as 0.x and 1.x named them. */
const TABLES = {
  units: ['text_units', 'create_final_text_units'],
  entities: ['entities', 'create_final_entities'],
  relations: ['relationships', 'create_final_relationships'],
} as const
const COLUMNS = {
  units: ['id', 'text', 'document_ids', 'document_id'],
  entities: ['title', 'name', 'type', 'description', 'text_unit_ids'],
  relations: ['source', 'target', 'description', 'weight', 'text_unit_ids'],
} as const
export const GRAPH_FILES: readonly string[] = Object.values(TABLES)
  .flat()
  .map((name) => `${name}.parquet`)

/** Undefined: there is no graph, or nothing says which texts it came from. */
export async function graphRagGraph(folder: TableFolder, bounds: ReadBounds, budget: Budget): Promise<PeerGraph | undefined> {
  const rowsOf = async (table: keyof typeof TABLES): Promise<readonly Row[]> => {
    for (const name of TABLES[table]) {
      const file = await folder.open(`${name}.parquet`)
      if (!file) continue
      const { rows } = await openParquet(file, folder.where(`${name}.parquet`), bounds, budget)
      const all: Row[] = []
      for await (const one of rows(COLUMNS[table])) all.push(one)
      return all
    }
    return []
  }
  const [entities, relations] = [await rowsOf('entities'), await rowsOf('relations')]
  if (entities.length + relations.length === 0) return undefined
  const passages = new Map((await rowsOf('units')).map((row) => [textOf(row.id), passageOf(row)]))
  return { entities: entities.flatMap(entityOf), relations: relations.flatMap(relationOf), passages }
}

function passageOf({ text, document_ids: several, document_id: one }: Row): PeerPassage {
  return { text: textOf(text), documents: [...new Set([...listOf(several), ...(one == null ? [] : [textOf(one)])])] }
}

function entityOf({ title, name, type, description, text_unit_ids: units }: Row): PeerEntity[] {
  const called = textOf(title ?? name)
  return called === '' ? [] : [{ name: called, type: textOf(type), description: textOf(description), passages: listOf(units) }]
}

function relationOf({ source, target, description, weight, text_unit_ids: units }: Row): PeerRelation[] {
  const ends = { source: textOf(source), target: textOf(target) }
  if (ends.source === '' || ends.target === '') return []
  return [{ ...ends, description: textOf(description), weight: Number(weight ?? 1) || 1, passages: listOf(units) }]
}

const textOf = (value: unknown): string => (value == null ? '' : String(value).trim())
const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value : []).map(textOf)
