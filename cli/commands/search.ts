/** `loam search`: evidence, best first. Plain: score, document, start, end, text, place. */
import type { Evidence, SearchResult } from '../../src/client/client'
import { formatLocation } from '../../src/client/location'
import { command } from '../command'
import { connect, findAsked } from '../connect'
import { documentOf, formatSkipped, titleOf } from '../named-document'
import { question, service } from '../options'
import { field, fields, safe } from '../output'
import { formatDates, readQuestion } from '../question'

export const search = command(
  {
    usage: 'search <question>',
    summary: 'search for evidence, best first',
    maxWords: Number.POSITIVE_INFINITY,
    options: { ...service, ...question },
    examples: ['loam search heron -k 3', 'loam search heron -s keyword | cut -f2 | sort -u'],
  },
  async ({ values, positionals, out, env }) => {
    const connection = connect({ values, env })
    const wanted = readQuestion(values, positionals)
    out.result(await (await findAsked(connection)).search(wanted), {
      people: ({ evidence, facets = {}, skipped }) => {
        const pieces = evidence.map((one, at) => `${at + 1}. ${formatPlace(one)}\n${safe(one.context?.text ?? one.text).trim()}\n`)
        return formatFacets(facets) + [pieces.join('\n') || 'Nothing was found.', formatSkipped(skipped)].filter(Boolean).join('\n')
      },
      plain: ({ evidence }) =>
        evidence.map((one) => fields(formatScore(one), documentOf(one), one.start, one.end, one.text, formatLocation(one))).join('\n'),
    })
  },
)

function formatFacets(facets: NonNullable<SearchResult['facets']>): string {
  const of = (key: string) => (facets[key] ?? []).map(({ value, documents }) => `${field(String(value))} (${documents})`).join(', ')
  return Object.keys(facets)
    .map((key) => `${field(key)}: ${of(key)}\n`)
    .join('')
}

function formatPlace({ kind, score, start, end, dates, ...place }: Evidence): string {
  const where =
    place.document === null ? kind : `${titleOf(place)}${formatDates(dates)}, ${field(formatLocation(place)) || `${start}–${end}`}`
  return `${where}  (${formatScore({ score })})`
}

/** Keyword scores of a small corpus are tiny; their order must stay visible. */
const formatScore = ({ score }: Pick<Evidence, 'score'>): string => String(Number(score.toPrecision(4)))
