/** `loam entities show`: one entity with its details. Plain: its id and name · type, word, chunks · people, type, description, key, time · said, text, document, by whom · related, id, name, words, by whom · document, id. */
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

function formatForPeople({ name, id, also, types, people, descriptions, relations = [], chunks, documents }: EntityDetails): string {
  return [
    `${field(name)}  ${id}`,
    ...(also.length > 0 ? [`also: ${also.map(field).join(', ')}`] : []),
    ...(types.length > 0 ? [`type: ${types.map((one) => `${field(one.type)} (${one.chunks})`).join(', ')}`] : []),
    ...(people ? [[`added by ${field(people.by)}`, people.type, people.description].filter(Boolean).map(field).join(': ')] : []),
    ...descriptions.map(({ text, document, by }) => `${field(text)}  [${by === 'brought' ? 'brought by ' : ''}${field(document)}]`),
    ...relations.map(({ name, description, by }) => `${field(name)}: ${field(description)}  (${by.join(', ')})`),
    `${many(chunks, 'chunk')} in ${documents.map(field).join(', ')}`,
  ].join('\n')
}

const formatPlain = ({ id, name, types, people, descriptions, relations = [], documents }: EntityDetails): string =>
  [
    fields('entity', id, name),
    ...types.map(({ type, chunks }) => fields('type', type, chunks)),
    ...(people ? [fields('people', people.type, people.description, people.by, people.at)] : []),
    ...descriptions.map(({ text, document, by }) => fields('said', text, document, by)),
    ...relations.map(({ id, name, description, by }) => fields('related', id, name, description, by.join(','))),
    ...documents.map((document) => fields('document', document)),
  ].join('\n')
