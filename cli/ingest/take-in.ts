/** Takes documents from reading to "they can be found": survey, confirmation, sending, waiting, one summary. */
import type { CorpusClient, NewCorpus } from '../../src/client/client'
import type { Values } from '../command'
import { confirm } from '../confirm'
import type { Read, Skipped } from '../documents'
import { Failure } from '../failure'
import type { intake } from '../options'
import { fields, many, type Output, seconds } from '../output'
import { wholeNumber } from '../question'
import { ensureCorpus } from './ensure-corpus'
import { type Summary, sendAndWait } from './send-and-wait'
import { type Cost, type Survey, survey } from './survey'

const PARALLEL = '4' // batches, by default
const NOTICE = 100 // documents between two reports on how far the reading is
const MAX_SHOWN = 20 // skipped or refused documents named at the end

/** Labels and other things sent with the documents, once these are there. */
interface Also {
  readonly count: number
  readonly noun: string
  after(): Promise<{ readonly labels?: number }>
}
const NOTHING: Also = { count: 0, noun: '', after: async () => ({}) }

interface Intake {
  readonly corpus: CorpusClient
  read(): AsyncIterable<Read>
  readonly values: Values<typeof intake>
  readonly out: Output
  readonly stdin: NodeJS.ReadStream
  /** For a new corpus. */
  readonly config?: NewCorpus | undefined
  readonly also?: Also
  readonly now?: () => number
}

export async function takeIn({ corpus, read, values, out, stdin, config, also = NOTHING, now = () => Date.now() }: Intake): Promise<void> {
  const parallel = wholeNumber('parallel', values.parallel ?? PARALLEL)
  const view = await ensureCorpus({ corpus, out, config })
  const isPriced = values.estimate === true || values.yes !== true
  const onRead = (count: number): void => {
    if (count % NOTICE === 0) out.progress({ share: 0, text: `read ${many(count, 'document')}` })
  }
  const found = await survey({ corpus, view, read, isPriced, onRead })
  for (const { skipped, why } of found.skipped.slice(0, MAX_SHOWN)) out.note(`left out: ${skipped} (${why})`)
  if (found.repeated > 0)
    out.note(
      `${many(found.repeated, 'id comes', 'ids come')} more than once; the last document with an id is kept (--prefix keeps folders apart)`,
    )
  if (found.count + also.count === 0) throw new Failure('there is nothing to ingest')
  if (values.estimate && found.cost) return showEstimate(corpus.name, found, found.cost, out)
  noteSurvey(found, also, out)
  await confirmCost(found, stdin)
  const began = now()
  const lanes = found.repeated > 0 ? 1 : parallel // in parallel, the last document with an id could arrive first
  const summary = await sendAndWait({ corpus, found, parallel: lanes, isIndexed: values.wait !== 'accepted', out, began, now })
  const whole = {
    corpus: corpus.name,
    documents: found.count,
    ...summary,
    skipped: found.skipped,
    ...(await also.after()),
    ms: now() - began,
  }
  out.result(whole, {
    people: formatSummary,
    plain: (all) => fields('documents', all.documents, all.accepted, all.unchanged, all.refused.length, all.skipped.length),
  })
  const { failed, refused } = summary
  if (failed.length) throw new Failure(`${many(failed.length, 'job')} failed: ${failed.slice(0, MAX_SHOWN).join(', ')}`)
  if (refused.length || found.skipped.length) process.exitCode = 1
}

function showEstimate(corpus: string, { count, known, size, skipped }: Survey, cost: Cost, out: Output): void {
  const { tokens, usd, min, max } = cost
  out.result(
    {
      corpus,
      documents: count,
      known,
      bytes: size,
      skipped,
      tokens,
      usd,
      bounds: { min: { usd: min }, max: { usd: max }, least: { usd: min }, most: { usd: max } },
    },
    {
      people: (all) => `${many(all.documents - all.known, 'document')} to pay for: about ${many(tokens, 'token')}, ${formatPrice(cost)}`,
      plain: () => fields('estimate', count, known, tokens, usd, min, max),
    },
  )
}

function noteSurvey({ count, known, size, cost }: Survey, also: Also, out: Output): void {
  const there = known ? `; ${many(known, 'is', 'are')} already here, at no cost if unchanged` : ''
  const more = also.count ? `; ${many(also.count, also.noun)}` : ''
  out.note(`${many(count, 'document')}, ${(size / 1e6).toFixed(1)} MB of text${there}${more}`)
  if (cost && count > known) out.note(`the new ones: about ${many(cost.tokens, 'token')}, ${formatPrice(cost)}`)
}

async function confirmCost({ count, known, cost }: Survey, stdin: NodeJS.ReadStream): Promise<void> {
  if (!cost || cost.max === 0 || count === known) return
  const otherwise = 'this may cost money, and there is no terminal to confirm at; --yes skips the question'
  if (!(await confirm('Ingest them?', { stdin, otherwise }))) throw new Failure('nothing was sent', { code: 'declined' })
}

const formatPrice = ({ usd, min, max }: Cost): string => (max === 0 ? 'free here' : `${dollars(usd)} (${dollars(min)} to ${dollars(max)})`)
const dollars = (amount: number): string => (amount > 0 && amount < 0.01 ? '<$0.01' : `$${amount.toFixed(2)}`)

interface Whole extends Summary {
  readonly skipped: readonly Skipped[]
  readonly labels?: number
  readonly ms: number
}

function formatSummary({ accepted, unchanged, indexed, refused, skipped, labels, tokens, ms }: Whole): string {
  return [
    `${many(accepted, 'document')} ingested${indexed === accepted ? '' : `, ${indexed} indexed so far`}, ${unchanged} unchanged, in ${seconds(ms)}; ${many(tokens, 'token')}`,
    ...(labels ? [`${many(labels, 'label')} imported`] : []),
    ...refused.slice(0, MAX_SHOWN).map(({ id, why }) => `refused: ${id} (${why})`),
    ...(skipped.length ? [`${many(skipped.length, 'file')} left out`] : []),
  ].join('\n')
}
