/**
 * `loam questions`: what was asked, if a corpus logs it, and which questions went badly. Plain: time, id, outcome, rating, question; of the report: count,
 * nothing, refused, bad, last seen, question.
 */
import type { LoggedQuestion, QuestionReport } from '../../src/client/client'
import { command, flag, text } from '../command'
import { connect, findCorpus, list } from '../connect'
import { misuse } from '../failure'
import { corpus, service } from '../options'
import { fields } from '../output'
import { wholeNumber } from '../question'
import { table } from '../table'

const MAX_ENTRIES = '100' // by default
const MODES = ['none', 'redacted', 'full'] as const

export const questions = command(
  {
    usage: 'questions [report | rate <id> good|bad | forget [id] | keep none|redacted|full]',
    verbs: ['report', 'rate', 'forget', 'keep'],
    summary: 'list the questions asked, if the corpus keeps them, and those that found nothing or were rated badly',
    maxWords: 3,
    options: {
      ...service,
      ...corpus,
      since: text('with report: only questions since this time'),
      limit: text('at most this many (100)'),
      days: text('with keep: for how many days (90)'),
      comment: text('with rate: what is wrong, or right'),
      all: flag('with forget: the whole log'),
    },
    examples: ['loam questions keep redacted --days 30', 'loam questions report --since 2026-11-01', 'loam questions forget --all'],
  },
  async ({ values, positionals: [action = 'list', id, word], out, env }) => {
    const named = await findCorpus(connect({ values, env }))
    const { queryLog } = named
    switch (action) {
      case 'list': {
        const max = wholeNumber('limit', values.limit ?? MAX_ENTRIES, 1)
        const entries: LoggedQuestion[] = []
        for await (const one of list((paging) => queryLog.list(paging))) if (entries.push(one) >= max) break
        const lines = (all: readonly LoggedQuestion[]): string => all.map(formatEntry).join('\n')
        return out.result(entries, {
          people: (all) => lines(all) || 'Nothing is kept; `loam questions keep redacted` starts.',
          plain: lines,
        })
      }
      case 'report': {
        const { data, ...counts } = await queryLog.report(values.since)
        return out.result(
          { data, ...counts },
          {
            people: () => (data.length > 0 ? table(HEAD, data.map(cellsOf), out) : 'No question went badly.'),
            plain: () => data.map((one) => fields(...cellsOf(one))).join('\n'),
          },
        )
      }
      case 'rate': {
        if (!id || (word !== 'good' && word !== 'bad')) throw misuse('loam questions rate <id> good|bad')
        const feedback = { question: id, rating: word, ...(values.comment === undefined ? {} : { comment: values.comment }) } as const
        return out.result(await queryLog.rate(feedback), { people: () => `${id} is rated ${word}`, plain: () => fields(id, word) })
      }
      case 'forget': {
        if (!id && !values.all) throw misuse('which question? loam questions forget <id>, or --all')
        await (id ? queryLog.forget(id) : queryLog.forgetAll())
        const what = id ?? 'all'
        return out.result({ forgotten: what }, { people: () => `Forgotten: ${what}`, plain: () => fields(what, 'forgotten') })
      }
      case 'keep': {
        const mode = MODES.find((one) => one === id)
        if (!mode) throw misuse('loam questions keep none|redacted|full')
        const days = values.days === undefined ? {} : { question_days: wholeNumber('days', values.days, 1) }
        const { audit } = await named.create({ audit: { questions: mode, ...days } })
        return out.result(audit, {
          people: () =>
            mode === 'none'
              ? 'Questions are no longer kept; those kept before stay until their days are over.'
              : `Kept ${mode}, for ${audit.question_days} days`,
          plain: () => fields(audit.questions, audit.question_days),
        })
      }
      default:
        throw misuse(`"${action}": expected report, rate, forget, keep or nothing`)
    }
  },
)

const HEAD = ['times', 'nothing', 'refused', 'bad', 'last', 'question']

function cellsOf({ count, nothing, refused, bad, last_seen: last, question }: QuestionReport['data'][number]) {
  return [count, nothing, refused, bad, last, question] as const
}

function formatEntry({ at, id, outcome, rating, question }: LoggedQuestion): string {
  return fields(at, id, outcome, rating ?? '', question ?? '(forgotten)')
}
