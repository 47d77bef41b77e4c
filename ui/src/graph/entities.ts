/** The entities of a corpus by the forms they are written in, read once per version; beyond so many, those that were read. */
import { effect } from '@preact/signals'
import { collected, type Node } from '../../../src/client/client'
import { key } from '../session'
import { corpusAt } from '../shared/loam'
import { type Finder, finderOf } from './mentions'
import { dataOf } from './node-data'
import type { PictureNode } from './picture'

const MAX_ENTITIES = 2000 // entities; ten calls

export interface Entities {
  readonly spots: ReadonlyMap<string, PictureNode>
  readonly find: Finder
  /** There are more than were read. */
  readonly more: boolean
}

const loaded = new Map<string, Promise<Entities>>()

// The next one at this tab may have another key.
effect(() => {
  if (key.value === null) loaded.clear()
})

export function entitiesOf(corpus: string, version: number): Promise<Entities> {
  const name = `${corpus} ${version}`
  const there = loaded.get(name)
  if (there) return there
  const reading = read(corpus)
  loaded.clear() // one corpus at a time is looked at
  loaded.set(name, reading)
  reading.catch(() => loaded.delete(name))
  return reading
}

async function read(corpus: string): Promise<Entities> {
  const { data, more } = await collected((paging) => corpusAt(corpus).entities(paging), MAX_ENTITIES)
  return { ...named(data), more }
}

export function named(nodes: readonly Node[]): Omit<Entities, 'more'> {
  const find = finderOf(nodes.map((node) => ({ id: node.id, forms: formsOf(node) })))
  return {
    find,
    spots: new Map(nodes.map(({ id, kind, layer, text, about }) => [id, { id, kind, layer, text, ...(about ? { about } : {}) }])),
  }
}

export function formsOf(node: Node): readonly string[] {
  const { text } = node
  const { aliases } = dataOf(node)
  const others = typeof aliases === 'object' && aliases !== null ? Object.keys(aliases) : []
  return [...new Set([text, ...others])]
}
