/** `loam entities ontology`: what kinds of things and relations a corpus has, shown, or given as a JSON file. Plain: type or relation, its name, what it is a kind of or between what. */
import { readFileSync } from 'node:fs'
import type { CorpusClient } from '../../src/client/client'
import { misuse } from '../failure'
import { fields, type Output } from '../output'

const USAGE = 'say loam entities ontology [file.json | none]'

interface Ontology {
  readonly mode: string
  readonly types: readonly { readonly name: string; readonly parent?: string }[]
  readonly relations: readonly { readonly name: string; readonly subjects?: readonly string[]; readonly objects?: readonly string[] }[]
}

export async function ontology(words: readonly string[], corpus: () => Promise<CorpusClient>, out: Output): Promise<void> {
  const [file, ...more] = words
  if (more.length > 0) throw misuse(USAGE)
  const given = file === undefined ? undefined : file === 'none' ? null : read(file)
  const named = await corpus()
  const shown = given === undefined ? await named.info() : await named.create({ settings: { extraction: { ontology: given } } })
  const { extraction } = shown.settings as { readonly extraction?: { readonly ontology?: Ontology | null } }
  out.result(extraction?.ontology ?? null, {
    people: (one) => (one === null ? 'The corpus has no ontology.' : `${one.mode}\n${lines(one).join('\n')}`),
    plain: (one) => (one === null ? '' : lines(one).join('\n')),
  })
}

function read(file: string): never {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as never // the service checks it, and names what is wrong
  } catch (error) {
    if (error instanceof SyntaxError) throw misuse(`"${file}" is no JSON: ${error.message}`)
    throw error
  }
}

function lines({ types, relations }: Ontology): readonly string[] {
  const between = (ends: readonly string[] = []): string => ends.join(',') || '*'
  return [
    ...types.map(({ name, parent }) => fields('type', name, parent ?? '')),
    ...relations.map(({ name, subjects, objects }) => fields('relation', name, `${between(subjects)} > ${between(objects)}`)),
  ]
}
