/**
 * `loam migrate`: moves a corpus to another embedding model, in place. Says what it costs and asks. Plain: model it has, model it goes to, texts, tokens,
 * dollars, dollars at most for what is written again, job (empty: none).
 */
import type { Migration } from '../../src/client/client'
import { command, flag, text } from '../command'
import { confirm } from '../confirm'
import { connect, findCorpus } from '../connect'
import { Failure } from '../failure'
import { corpus, service } from '../options'
import { field, fields, many } from '../output'

export const migrate = command(
  {
    usage: 'migrate',
    summary: 'move a corpus to another embedding model, in place, after showing what it costs',
    maxWords: 0,
    options: {
      ...service,
      ...corpus,
      to: text('a model of the deployment (the one that new corpora use)'),
      estimate: flag('only show what it would cost'),
      yes: flag('do not ask', { short: 'y' }),
    },
    examples: ['loam migrate --estimate', 'loam migrate -c handbook --yes'],
  },
  async ({ values, out, env, stdin }) => {
    const moved = await findCorpus(connect({ values, env }))
    const view = await moved.migration(values.to)
    const shown = (job: string | null) => out.result({ ...view, job }, { people: formatForPeople, plain: formatPlain })
    if (values.estimate || view.job || !view.to) return shown(view.job)
    const question = `${formatForPeople(view)}\nBegin?`
    if (!values.yes && !(await confirm(question, { stdin, otherwise: 'there is no terminal to confirm at; --yes skips the question' })))
      throw new Failure('nothing was started')
    const { job } = await moved.migrate(values.to)
    shown(job)
  },
)

function formatForPeople({ from, to, job, step, estimate }: Migration): string {
  const { texts, tokens, usd, seconds, rewritten } = estimate
  if (!to) return `The corpus already has vectors of ${field(from.model ?? 'its model')}.`
  const time = seconds === null ? '' : `, about ${Math.max(1, Math.round(seconds / 60))} minutes at the recent pace`
  const again = rewritten.usd > 0 ? ` Rewritten summaries: at most $${rewritten.usd.toFixed(4)}.` : ''
  const cost = `${many(texts, 'text')} to embed, ${tokens} tokens, $${usd.toFixed(4)}${time}.${again}`
  const state = job ? ` It is in progress (${job}${step ? `, ${step}` : ''}).` : ''
  return `From ${field(from.model ?? 'its model')} to ${field(to.model ?? '')}: ${cost}${state}`
}

const formatPlain = ({ from, to, job, estimate }: Migration): string =>
  fields(from.model ?? '', to?.model ?? '', estimate.texts, estimate.tokens, estimate.usd, estimate.rewritten.usd, job ?? '')
