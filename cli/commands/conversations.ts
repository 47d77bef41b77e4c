/**
 * `loam conversations`: those that `ask --keep` kept for this key. Plain: of the list id, last turn, turns, title; of one a line a turn: time, question,
 * answer (empty: withheld), why it is.
 */
import type { Conversation, ConversationHead, KeptTurn } from '../../src/client/client'
import { command, flag, text } from '../command'
import { connect, findCorpus, list } from '../connect'
import { misuse } from '../failure'
import { corpus, service } from '../options'
import { fields, many, safe } from '../output'
import { wholeNumber } from '../question'

const MAX_LISTED = '100' // by default

export const conversations = command(
  {
    usage: 'conversations [show <id> | rename <id> <title> | delete [id] | export <id>]',
    verbs: ['show', 'rename', 'delete', 'export'],
    summary: 'list, show, rename, delete or export conversations kept with `ask --keep`',
    maxWords: Number.POSITIVE_INFINITY,
    options: {
      ...service,
      ...corpus,
      limit: text('at most this many (100)'),
      all: flag('with delete: every one of this key'),
    },
    examples: ['loam ask --keep When is bread baked?', 'loam conversations', 'loam conversations export conv_4f… > bread.md'],
  },
  async ({ values, positionals: [action = 'list', id, ...words], out, env }) => {
    const { conversations: kept } = await findCorpus(connect({ values, env }))
    switch (action) {
      case 'list': {
        const max = wholeNumber('limit', values.limit ?? MAX_LISTED, 1)
        const heads: ConversationHead[] = []
        for await (const one of list((paging) => kept.list(paging))) if (heads.push(one) >= max) break
        return out.result(heads, {
          people: (all) => all.map(formatHead).join('\n') || 'No conversations are kept; `loam ask --keep` starts one.',
          plain: (all) => all.map(formatHead).join('\n'),
        })
      }
      case 'show': {
        const whole = await kept.get(named(id, 'loam conversations show <id>'))
        return out.result(whole, { people: formatWhole, plain: ({ data }) => data.map(formatTurn).join('\n') })
      }
      case 'rename': {
        const title = words.join(' ').trim()
        if (!id || title === '') throw misuse('loam conversations rename <id> <title>')
        return out.result(await kept.rename(id, title), {
          people: (head) => `${safe(head.title ?? '')} is its new title`,
          plain: formatHead,
        })
      }
      case 'delete': {
        if (!id && !values.all) throw misuse('which conversation? loam conversations delete <id>, or --all')
        await (id ? kept.delete(id) : kept.deleteAll())
        const what = id ?? 'all'
        return out.result({ deleted: what }, { people: () => `Deleted: ${what}`, plain: () => fields(what, 'deleted') })
      }
      case 'export': {
        const markdown = await kept.export(named(id, 'loam conversations export <id>'))
        return out.result({ markdown }, { people: () => safe(markdown), plain: () => safe(markdown) })
      }
      default:
        throw misuse(`"${action}": expected show, rename, delete, export or nothing`)
    }
  },
)

function named(id: string | undefined, form: string): string {
  if (!id) throw misuse(form)
  return id
}

function formatHead({ id, changed_at: changed, turns, title }: ConversationHead): string {
  return fields(id, changed, turns, title ?? '(forgotten)')
}

const WHY = {
  forgotten: '(forgotten: a document it rests on was deleted)',
  access: '(withheld: it rests on a document you may not see)',
} as const

function formatWhole({ title, data }: Conversation): string {
  const turns = data.map(({ question, answer, withheld }) =>
    [`> ${safe(question ?? '(forgotten)')}`, safe(answer ?? WHY[withheld ?? 'forgotten'])].join('\n'),
  )
  return [`${safe(title ?? '(forgotten)')}, ${many(data.length, 'turn')}`, ...turns].join('\n\n')
}

function formatTurn({ at, question, answer, withheld }: KeptTurn): string {
  return fields(at, question ?? '', answer ?? '', withheld ?? '')
}
