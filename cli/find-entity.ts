/** Finds an entity by the name people use. */
import type { CorpusClient, Node } from '../src/client/client'
import { Failure } from './failure'
import { field } from './output'

const ID = /^e_[\w-]{22}$/
const MAX_FOUND = 20 // entities searched for a name
const MAX_SIMILAR = 5 // of them named in a message

/** The first line of an entity's text; its description follows. */
export const nameOf = ({ text }: Pick<Node, 'text'>): string => field(text.split('\n')[0])

/** An id, or the name of exactly one entity, ignoring case. Entities with the same name are listed by id, with the document that distinguishes them. */
export async function findEntity(corpus: CorpusClient, text: string): Promise<string> {
  if (ID.test(text)) return text
  const { data } = await corpus.entities({ q: text, limit: MAX_FOUND })
  const namesakes = data.filter((one) => nameOf(one).toLowerCase() === text.trim().toLowerCase())
  const [only, ...others] = namesakes
  if (others.length > 0) {
    const each = namesakes.map(({ id, about }) => `${id}${about ? ` (${field(about.title)})` : ''}`)
    throw new Failure(`several entities are called "${field(text)}"; say which by its id: ${each.join(', ')}`, { code: 'ambiguous' })
  }
  if (only) return only.id
  const similar = data.slice(0, MAX_SIMILAR).map(nameOf)
  throw new Failure(`no entity is called "${field(text)}"${similar.length > 0 ? `; there is ${similar.join(', ')}` : ''}`, {
    code: 'node_not_found',
  })
}
