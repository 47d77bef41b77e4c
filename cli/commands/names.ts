/** `loam names`: which entities were merged, oldest first, and merging and separating them. Plain: number, merge or undo, name, name, by, spelling, context. */
import type { CorpusClient, DecisionStatus, NameOperation } from '../../src/client/client'
import { command } from '../command'
import { all, connect, findCorpus } from '../connect'
import { misuse } from '../failure'
import { findEntity } from '../find-entity'
import { corpus, service } from '../options'
import { field, fields, type Output } from '../output'

export const names = command(
  {
    usage: 'names [merge <entity> <entity> | unmerge <entity> [entity]]',
    verbs: ['merge', 'unmerge'],
    summary: 'list and correct names that refer to the same entity, merged by similarity (ArchRAG) or by you',
    maxWords: 3,
    options: { ...service, ...corpus },
    examples: ['loam names', "loam names merge 'Marta Lind' 'M. Lind'", "loam names unmerge 'M. Lind'"],
  },
  async ({ values, positionals: [action = 'list', one, other], out, env }) => {
    switch (action) {
      case 'list':
        return list(await findCorpus(connect({ values, env })), out)
      case 'merge': {
        if (!one || !other) throw misuse('which two names? loam names merge <entity> <entity>')
        const graph = await findCorpus(connect({ values, env }))
        const [id, second] = [await findEntity(graph, one), await findEntity(graph, other)]
        return show(action, await graph.names.merge(id, second), [one, other], out)
      }
      case 'unmerge': {
        if (!one) throw misuse('which name? loam names unmerge <entity> [entity]')
        const graph = await findCorpus(connect({ values, env }))
        const [id, second] = [await findEntity(graph, one), other ? await findEntity(graph, other) : undefined]
        return show(action, await graph.names.unmerge(id, second), other ? [one, other] : [one], out)
      }
      default:
        throw misuse(`"${action}": expected merge, unmerge or nothing`)
    }
  },
)

function show(action: 'merge' | 'unmerge', decided: DecisionStatus, given: readonly string[], out: Output): void {
  const done = action === 'merge' ? 'are one entity' : 'are two entities'
  out.result(decided, {
    people: ({ status }) => `${given.map(field).join(' and ')} ${done}${status === 'unchanged' ? ' already' : ''}`,
    plain: ({ status }) => fields(action, status),
  })
}

async function list(corpus: CorpusClient, out: Output): Promise<void> {
  out.result(await all((paging) => corpus.names.merges(paging)), {
    people: (rows) =>
      rows.map(formatDecision).join('\n') ||
      'No names have been merged. Consolidation merges similar names; `loam names merge` merges those you name.',
    plain: (rows) => rows.map(({ n, op, names: [a, b], by, spelling, context }) => fields(n, op, a, b, by, spelling, context)).join('\n'),
  })
}

function formatDecision({ op, names, by, spelling, context }: NameOperation): string {
  const [a, b] = names.map((name) => field(name) || 'a deleted entity')
  const likeness = op === 'merge' ? `, spelling ${spelling.toFixed(2)}, context ${context.toFixed(2)}` : ''
  return `${a} ${op === 'merge' ? 'is' : 'is not'} ${b}  (${by === 'rule' ? 'by similarity' : 'decided'}${likeness})`
}
