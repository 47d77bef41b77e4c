/** `loam entities show`: one entity with its details. Plain: its id and name · type, word, chunks · people, type, description, key, time · said, text, document · document, id. */
import type { CorpusClient, EntityDetails } from '../../src/client/client'
import { misuse } from '../failure'
import { findEntity } from '../find-entity'
import { field, fields, many, type Output } from '../output'

export async function showEntity(words: readonly string[], corpus: () => Promise<CorpusClient>, out: Output): Promise<void> {
  const named = words.join(' ').trim()
  if (named === '') throw misuse('which entity? loam entities show <entity>')
  const graph = await corpus()
  out.result(await graph.entity(await findEntity(graph, named)), { people: formatForPeople, plain: formatPlain })
}

function formatForPeople({ name, id, also, types, people, descriptions, chunks, documents }: EntityDetails): string {
  return [
    `${field(name)}  ${id}`,
    ...(also.length > 0 ? [`also: ${also.map(field).join(', ')}`] : []),
    ...(types.length > 0 ? [`type: ${types.map((one) => `${field(one.type)} (${one.chunks})`).join(', ')}`] : []),
    ...(people ? [[`added by ${field(people.by)}`, people.type, people.description].filter(Boolean).map(field).join(': ')] : []),
    ...descriptions.map(({ text, document }) => `${field(text)}  [${field(document)}]`),
    `${many(chunks, 'chunk')} in ${documents.map(field).join(', ')}`,
  ].join('\n')
}

const formatPlain = ({ id, name, types, people, descriptions, documents }: EntityDetails): string =>
  [
    fields('entity', id, name),
    ...types.map(({ type, chunks }) => fields('type', type, chunks)),
    ...(people ? [fields('people', people.type, people.description, people.by, people.at)] : []),
    ...descriptions.map(({ text, document }) => fields('said', text, document)),
    ...documents.map((document) => fields('document', document)),
  ].join('\n')
