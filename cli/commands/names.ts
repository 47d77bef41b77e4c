/** `loam names`: which entities were taken for one thing, oldest first, and deciding it. Plain: number, merge or undo, name, name, by, spelling, context. */
import type { CorpusClient, NameOperation } from '../../src/client/client'
import { command } from '../command'
import { all, connect, findCorpus } from '../connect'
import { Failure, misuse } from '../failure'
import { corpus, service } from '../options'
import { field, fields, type Output } from '../output'

const ID = /^e_[\w-]{22}$/
const MAX_FOUND = 20 // entities looked through for a name
const MAX_SIMILAR = 5 // of them named in a message

export const names = command(
  {
    usage: 'names [merge <entity> <entity> | unmerge <entity> [entity]]',
    summary: 'which entities are one thing (ArchRAG): the decisions, and deciding',
    maxWords: 3,
    options: { ...service, ...corpus },
    examples: ['loam names', "loam names merge 'Marta Lind' 'M. Lind'", "loam names unmerge 'M. Lind'"],
  },
  async ({ values, positionals: [action = 'list', one, other], out, env }) => {
    switch (action) {
      case 'list':
        return list(await findCorpus(connect({ values, env })), out)
      case 'merge': {
        if (!one || !other) throw misuse('which two? loam names merge <entity> <entity>')
        const graph = await findCorpus(connect({ values, env }))
        const [id, second] = [await findEntity(graph, one), await findEntity(graph, other)]
        return show(action, await graph.names.merge(id, second), [one, other], out)
      }
      case 'unmerge': {
        if (!one) throw misuse('which one? loam names unmerge <entity> [entity]')
        const graph = await findCorpus(connect({ values, env }))
        const [id, second] = [await findEntity(graph, one), other ? await findEntity(graph, other) : undefined]
        return show(action, await graph.names.unmerge(id, second), other ? [one, other] : [one], out)
      }
      default:
        throw misuse(`"${action}": say merge, unmerge or nothing`)
    }
  },
)

function show(action: 'merge' | 'unmerge', decided: { readonly status: string }, given: readonly string[], out: Output): void {
  const done = action === 'merge' ? 'are one thing' : 'are two'
  out.result(decided, {
    people: ({ status }) => `${given.map(field).join(' and ')} ${done}${status === 'unchanged' ? ' already' : ''}`,
    plain: ({ status }) => fields(action, status),
  })
}

/** An id, or the name of exactly one entity, whatever its case. Of namesakes each is named by its id, with the document that tells it from the others. */
async function findEntity(corpus: CorpusClient, text: string): Promise<string> {
  if (ID.test(text)) return text
  const { data } = await corpus.entities({ q: text, limit: MAX_FOUND })
  const namesakes = data.filter((one) => one.text.split('\n')[0]?.toLowerCase() === text.trim().toLowerCase())
  const [only, ...others] = namesakes
  if (others.length > 0) {
    const each = namesakes.map(({ id, about }) => `${id}${about ? ` (${field(about.title)})` : ''}`)
    throw new Failure(`several entities are called "${field(text)}"; say which by its id: ${each.join(', ')}`, { code: 'ambiguous' })
  }
  if (only) return only.id
  const similar = data.slice(0, MAX_SIMILAR).map((one) => field(one.text))
  throw new Failure(`no entity is called "${field(text)}"${similar.length > 0 ? `; there is ${similar.join(', ')}` : ''}`, {
    code: 'node_not_found',
  })
}

async function list(corpus: CorpusClient, out: Output): Promise<void> {
  out.result(await all((paging) => corpus.names.merges(paging)), {
    people: (rows) =>
      rows.map(formatDecision).join('\n') ||
      'No names have been merged. Consolidation merges what is alike; `loam names merge` what you say.',
    plain: (rows) => rows.map(({ n, op, names: [a, b], by, spelling, context }) => fields(n, op, a, b, by, spelling, context)).join('\n'),
  })
}

function formatDecision({ op, names, by, spelling, context }: NameOperation): string {
  const [a, b] = names.map((name) => field(name) || 'an entity that is gone')
  const likeness = op === 'merge' ? `, spelling ${spelling.toFixed(2)}, context ${context.toFixed(2)}` : ''
  return `${a} ${op === 'merge' ? 'is' : 'is not'} ${b}  (${by === 'rule' ? 'by likeness' : 'decided'}${likeness})`
}
