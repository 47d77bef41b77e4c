/** Explains an answer: how confident Loam is, whether the sources support each statement, and how each piece was found. */
import type { QueryResult, SeveralQueryResult } from '../src/client/client'
import { formatLocation } from '../src/client/location'
import { documentOf, titleOf } from './named-document'
import { clip, field, fields } from './output'

type Answered = Omit<QueryResult, 'version'> | SeveralQueryResult

const MAX_PIECE = 90 // characters of a piece of evidence, at a terminal

/** For people: three short lists, below the answer. */
export function formatWhy(result: Answered): string {
  const { confidence, support, evidence, degraded, strategy } = result
  const found = evidence.map((one, at) => {
    const where = one.document === null ? one.kind : `${titleOf(one)}${placeOf(one)}`
    return `  ${at + 1}. ${where}  (${scoreOf(one.score)}${one.via ? `, ${field(one.via)}` : ''})  “${clip(field(one.text), MAX_PIECE)}”`
  })
  return [
    `Confidence: ${confidence}`,
    ...(support.length
      ? ['Statements:', ...support.map((one) => `  ${one.outcome}: “${clip(field(one.claim))}”${formatReasons(one)}`)]
      : []),
    found.length ? `Found by ${field(strategy)}:` : `${field(strategy)} found nothing.`,
    ...found,
    ...(degraded.length ? [`Without: ${degraded.join(', ')}`] : []),
  ].join('\n')
}

/** `confidence`, then `claim` lines, then `found` lines. */
export function plainWhy({ confidence, support, evidence }: Answered): readonly string[] {
  return [
    fields('confidence', confidence),
    ...support.map(({ outcome, score, claim, reasons }) =>
      fields('claim', outcome, scoreOf(score), claim, reasons.map(({ fault }) => fault).join(',')),
    ),
    ...evidence.map((one) => fields('found', scoreOf(one.score), documentOf(one), one.start, one.end, one.via)),
  ]
}

/** For a refusal: the sentences closest to the question. */
export function formatNearest(nearest: Answered['nearest']): string {
  if (nearest.length === 0) return ''
  return `Nearest:\n${nearest.map((one) => `  ${titleOf(one)}: “${clip(field(one.quote))}”`).join('\n')}`
}

function placeOf(place: Answered['evidence'][number]): string {
  const where = field(formatLocation(place))
  return where ? `, ${where}` : ''
}

function formatReasons({ reasons }: Answered['support'][number]): string {
  const said = reasons.map(
    ({ fault, claim, source }) => `${fault}: ${field(claim)}${source ? `, where the source has ${field(source)}` : ''}`,
  )
  return said.length ? ` (${said.join('; ')})` : ''
}

/** Keyword scores of a small corpus are tiny; their order must stay visible. */
const scoreOf = (score: number): string => String(Number(score.toPrecision(3)))
