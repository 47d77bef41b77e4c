/** `loam ask`: the answer and its checked citations. In a terminal it appears as it is written. Plain: the answer, an empty line, one citation per line, then what disagrees. */
import { type AnswerEvent, type Citation, LoamError, type SeveralAnswerEvent, type SeveralSearchResult } from '../../src/client/client'
import { formatLocation } from '../../src/client/location'
import { formatCitations } from '../citations'
import { command, flag, text } from '../command'
import { connect, findAsked } from '../connect'
import { formatDisagreements, plainDates, plainDisagreements } from '../disagreements'
import { Failure } from '../failure'
import { documentOf, formatSkipped } from '../named-document'
import { question as questionOptions, service } from '../options'
import { clip, field, fields, many, type Output, safe } from '../output'
import { readQuestion } from '../question'
import { formatNearest, formatWhy, plainWhy } from '../why'

export const ask = command(
  {
    usage: 'ask <question>',
    summary: 'answer a question, with citations',
    maxWords: Number.POSITIVE_INFINITY,
    options: {
      ...service,
      ...questionOptions,
      why: flag('also show the confidence, the support of each statement and how each piece was found'),
      quote: flag('answer with sentences of the documents, without the text model'),
      fresh: flag('ignore cached answers'),
      keep: flag('keep question and answer on the service, for this key (`loam conversations`)'),
      conversation: text('a kept conversation to continue'),
    },
    examples: [
      'loam ask What does the heron eat?',
      'loam ask -c birds,fish What does the heron eat?',
      'loam ask --why What does the heron eat?',
      "loam ask 'What changed?' -s erarag --filter year=2024 --json",
    ],
  },
  async ({ values, positionals, out, env }) => {
    const connection = connect({ values, env })
    const question = {
      ...readQuestion(values, positionals),
      ...(values.quote ? { generator: 'extractive' as const } : {}),
      ...(values.fresh ? { cache: false } : {}),
      ...(values.keep ? { store: true } : {}),
      ...(values.conversation ? { conversation: values.conversation } : {}),
    }
    const corpus = await findAsked(connection)
    if (out.isForPeople && !values.why) return showAsWritten(corpus.ask(question), out)
    out.result(await corpus.query(question), {
      people: (result) =>
        `${safe(result.answer)}${formatEnd(result)}\n${formatCitations(result.citations, result.generator)}\n\n${formatWhy(result)}`,
      plain: (result) =>
        [
          safe(result.answer),
          '',
          ...result.citations.map((one) =>
            fields(one.marker, documentOf(one), one.start, one.end, one.quote, formatLocation(one), plainDates(one.dates)),
          ),
          ...plainDisagreements(result),
          ...(values.why ? plainWhy(result) : []),
        ].join('\n'),
    })
  },
)

async function showAsWritten(events: AsyncIterable<AnswerEvent | SeveralAnswerEvent>, out: Output): Promise<void> {
  const citations: Citation[] = []
  try {
    for await (const { event, data } of events) {
      if (event === 'delta') out.write(safe(data.text ?? ''))
      else if (event === 'citation') citations.push(data)
      else if (event === 'done') {
        out.line(`${formatEnd(data)}\n${formatCitations(citations, data.generator)}`)
        if ('conversation' in data && data.conversation) out.line(`\nKept: ${data.conversation.id}`)
      }
    }
  } catch (error) {
    const hasBrokenOff = error instanceof LoamError && error.more.call === undefined // a request that failed names itself
    throw hasBrokenOff ? new Failure(`the answer was interrupted (${error.code})`, { code: error.code }) : error
  }
}

type Done = Omit<Extract<AnswerEvent, { readonly event: 'done' }>['data'], 'version'> & Partial<Pick<SeveralSearchResult, 'skipped'>>

/** What a reader should know beyond the text. */
function formatEnd({ grounded, insufficient, nearest = [], support = [], degraded = [], skipped, cache, ...told }: Done): string {
  const missing = degraded.filter((what) => what !== 'truncated')
  const doubted = support.filter(({ span, outcome }) => span && outcome !== 'supported')
  const notes = [
    ...(insufficient
      ? ['the evidence does not answer this']
      : grounded === false
        ? [`not supported by what it cites: ${doubted.map(({ claim }) => `“${clip(field(claim))}”`).join(', ') || 'the answer'}`]
        : []),
    ...(cache ? [formatKept(cache)] : []),
    ...(missing.length ? [`without: ${missing.join(', ')}`] : []),
    ...(missing.length < degraded.length ? ['cut off: the text model reached its length limit'] : []),
  ]
  const lines = [
    ...(skipped?.length ? [formatSkipped(skipped)] : []),
    ...(nearest.length ? [formatNearest(nearest)] : []),
    ...formatDisagreements(told),
  ]
  return `${notes.length ? `\n\n(${notes.join('; ')})` : '\n'}${lines.map((one) => `\n${one}`).join('')}${lines.length ? '\n' : ''}`
}

function formatKept({ age_seconds: age, saved }: NonNullable<Done['cache']>): string {
  const tokens = saved.in + saved.out + saved.embedded
  return `from the cache, ${age} s ago; saved ${many(tokens, 'token')}, $${saved.usd.toFixed(4)}`
}
