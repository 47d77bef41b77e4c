/** `loam names`: which entities were taken for one thing, oldest first, and deciding it. Plain: number, merge or undo, name, name, by, spelling, context. */
import { corpusPath, listed } from '../client.mjs'
import { Failure, misuse } from '../failure.mjs'
import { field, fields } from '../output.mjs'
import { chosen, connected } from '../settings.mjs'

const ID = /^e_[\w-]{22}$/

export async function run({ values, positionals, out, env }) {
  const [action = 'list', one, other] = positionals
  if (!['list', 'merge', 'unmerge'].includes(action)) throw misuse(`"${action}": say merge, unmerge or nothing`)
  if (action === 'merge' && (!one || !other)) throw misuse('which two? loam names merge <entity> <entity>')
  if (action === 'unmerge' && !one) throw misuse('which one? loam names unmerge <entity> [entity]')
  const { client, corpus } = connected({ values, env })
  const name = await chosen({ client, corpus })
  if (action === 'list') return list(client, name, out)
  const [id, second] = [await entityOf(client, name, one), other && (await entityOf(client, name, other))]
  const body = action === 'merge' ? { with: second } : second ? { from: second } : {}
  const decided = await client.call('POST', corpusPath(name, `/entities/${encodeURIComponent(id)}:${action}`), { body })
  const done = action === 'merge' ? 'are one thing' : 'are two'
  out.result(decided, {
    people: ({ status }) => `${[one, other].filter(Boolean).map(field).join(' and ')} ${done}${status === 'unchanged' ? ' already' : ''}`,
    plain: ({ status }) => fields(action, status),
  })
}

/** An id, or the name of exactly one entity, whatever its case. Of namesakes each is named by its id, with the document that tells it from the others. */
async function entityOf(client, corpus, text) {
  if (ID.test(text)) return text
  const { data } = await client.call('GET', corpusPath(corpus, '/entities'), { query: { q: text, limit: 20 } })
  const called = data.filter((one) => one.text.split('\n')[0].toLowerCase() === text.trim().toLowerCase())
  if (called.length > 1) {
    const each = called.map(({ id, about }) => `${id}${about ? ` (${field(about.title)})` : ''}`)
    throw new Failure(`several entities are called "${field(text)}"; say which by its id: ${each.join(', ')}`, { code: 'ambiguous' })
  }
  if (called.length === 1) return called[0].id
  const like = data.slice(0, 5).map((one) => field(one.text))
  throw new Failure(`no entity is called "${field(text)}"${like.length > 0 ? `; there is ${like.join(', ')}` : ''}`, {
    code: 'node_not_found',
  })
}

async function list(client, corpus, out) {
  const all = []
  for await (const one of listed(client, corpusPath(corpus, '/entities/merges'))) all.push(one)
  out.result(all, {
    people: (rows) =>
      rows.map(said).join('\n') || 'No names have been merged. Consolidation merges what is alike; `loam names merge` what you say.',
    plain: (rows) => rows.map(({ n, op, names: [a, b], by, spelling, context }) => fields(n, op, a, b, by, spelling, context)).join('\n'),
  })
}

function said({ op, names, by, spelling, context }) {
  const [a, b] = names.map((name) => field(name) || 'an entity that is gone')
  const like = op === 'merge' ? `, spelling ${spelling.toFixed(2)}, context ${context.toFixed(2)}` : ''
  return `${a} ${op === 'merge' ? 'is' : 'is not'} ${b}  (${by === 'rule' ? 'by likeness' : 'decided'}${like})`
}
