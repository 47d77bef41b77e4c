/** `loam compare`: asks several strategies one question, with the cost and time of each. Plain: strategy, seconds, dollars, answered, answer. */
import type { CompareResult } from '../../src/client/client'
import { command, text } from '../command'
import { connect, findCorpus } from '../connect'
import { misuse } from '../failure'
import { question, service } from '../options'
import { field, fields, type Output, safe } from '../output'
import { readQuestion } from '../question'
import { askable } from '../strategy-names'

type Result = CompareResult['results'][number]
type Answered = Extract<Result, { readonly answer: string }>

const DEFAULT = 'auto,hybrid,keyword'
const { strategy: _, 'min-version': __, ...asked } = question

export const compare = command(
  {
    usage: 'compare <question>',
    summary: 'ask several strategies the same question: answers, evidence, time and cost',
    maxWords: Number.POSITIVE_INFINITY,
    options: { ...service, ...asked, strategies: text(`separated by commas (${DEFAULT}): ${askable()}`, { short: 's' }) },
    examples: ['loam compare What does the heron eat?', "loam compare 'Who founded it?' -s auto,erarag,cluerag"],
  },
  async ({ values, positionals, out, env }) => {
    const { query, ...rest } = readQuestion(values, positionals)
    const strategies = (values.strategies ?? DEFAULT).split(',').map((name) => name.trim())
    if (strategies.length < 2) throw misuse('which strategies? --strategies auto,keyword')
    const corpus = await findCorpus(connect({ values, env }))
    // The service knows the valid names.
    const compared = await corpus.compare({ query, ...rest, strategies: strategies as never })
    out.result(compared, {
      people: ({ results }) => results.map((one) => formatResult(one, out)).join('\n\n'),
      plain: ({ results }) => results.map(formatPlain).join('\n'),
    })
  },
)

const hasAnswer = (result: Result): result is Answered => 'answer' in result
const secondsOf = ({ timing_ms: timing }: Answered): string =>
  (Object.values(timing).reduce((sum, ms) => Math.max(sum, ms), 0) / 1000).toFixed(2) // `total` is the longest of them

function formatResult(result: Result, out: Output): string {
  if (!hasAnswer(result)) return `${out.style('bold', field(result.strategy))}  ${field(result.error)}`
  const documents = [...new Set(result.evidence.map((one) => one.title || one.document).filter((one) => one !== null && one !== undefined))]
  const head = `${out.style('bold', field(result.strategy))}  ${secondsOf(result)} s, $${result.cost_usd.toFixed(6)}`
  return `${head}\n${safe(result.answer).trim()}\n${out.style('dim', `from ${documents.slice(0, 5).map(field).join(' · ') || 'nothing'}`)}`
}

function formatPlain(result: Result): string {
  if (!hasAnswer(result)) return fields(result.strategy, '', '', 'failed', result.error)
  return fields(result.strategy, secondsOf(result), result.cost_usd.toFixed(6), result.answered, result.answer)
}
