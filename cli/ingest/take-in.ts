/** Takes documents from reading to "they can be found": survey, confirmation, sending, waiting, one summary. */
import type { Corpus, CorpusClient, NewCorpus } from '../../src/client/client'
import type { Values } from '../command'
import { confirm } from '../confirm'
import type { Read, Skipped, SourceDocument } from '../documents'
import { Failure } from '../failure'
import type { intake } from '../options'
import { fields, many, type Output, seconds } from '../output'
import { wholeNumber } from '../question'
import { ensureCorpus } from './ensure-corpus'
import { type Summary, sendAndWait } from './send-and-wait'
import { type Cost, survey } from './survey'
import { listIds, type Tallied, type Tally, tallyOf } from './tally'

const PARALLEL = '4' // batches, by default
const NOTICE = 100 // documents between two reports on how far the reading is
const NOTHING_FOUND = 'there is nothing to ingest'
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
  /** Nothing is sent before all of it has been read without a fault. */
  readonly isWhole?: boolean
  readonly now?: () => number
}

export async function takeIn(intake: Intake): Promise<void> {
  const { corpus, values, out, also = NOTHING, now = () => Date.now() } = intake
  const parallel = wholeNumber('parallel', values.parallel ?? PARALLEL)
  const view = await ensureCorpus({ corpus, out, config: intake.config })
  const isSentAsRead = values.yes === true && !values.estimate && !intake.isWhole
  const found = isSentAsRead ? await sentAsRead(intake, view) : await readFirst(intake, view)
  if (!found) return
  const began = now()
  const { chunk_tokens: tokens } = view.settings ?? {}
  const chunkTokens = typeof tokens === 'number' ? tokens : undefined
  const summary = await sendAndWait({ corpus, found, parallel, chunkTokens, isIndexed: values.wait !== 'accepted', out, began, now })
  const { count, skipped } = found.tally
  if (isSentAsRead) noteLeftOut(found.tally, out)
  if (count + also.count === 0) throw new Failure(NOTHING_FOUND)
  const whole = {
    corpus: corpus.name,
    documents: count,
    ...summary,
    skipped,
    ...(await also.after()),
    ms: now() - began,
  }
  out.result(whole, {
    people: formatSummary,
    plain: (all) => fields('documents', all.documents, all.accepted, all.unchanged, all.refused.length, all.skipped.length),
  })
  const { failed, refused } = summary
  if (failed.length) throw new Failure(`${many(failed.length, 'job')} failed: ${failed.slice(0, MAX_SHOWN).join(', ')}`)
  if (refused.length || skipped.length) process.exitCode = 1
}

/** Without a question to ask, the first documents are on their way while the others are read. */
async function sentAsRead({ corpus, read, out }: Intake, view: Corpus): Promise<Tallied> {
  const there = await listIds(corpus, view)
  const found = tallyOf({ there, read, onRead: () => {} })
  const documents = async function* (): AsyncGenerator<SourceDocument> {
    yield* found.documents()
    if (found.tally.count > 0) noteSurvey(found.tally, { also: NOTHING, cost: undefined }, out)
  }
  return { ...found, documents }
}

/** Undefined: the cost was all that was wanted. */
async function readFirst({ corpus, read, values, out, stdin, also = NOTHING }: Intake, view: Corpus) {
  const isPriced = values.estimate === true || values.yes !== true
  const onRead = (count: number): void => {
    if (count % NOTICE === 0) out.progress({ share: 0, text: `read ${many(count, 'document')}` })
  }
  const found = await survey({ corpus, view, read, isPriced, onRead })
  const { tally, cost } = found
  noteLeftOut(tally, out)
  if (tally.count + also.count === 0) throw new Failure(NOTHING_FOUND)
  if (values.estimate && cost) return void showEstimate(corpus.name, tally, cost, out)
  noteSurvey(tally, { also, cost }, out)
  await confirmCost(tally, cost, stdin)
  return found
}

function noteLeftOut({ skipped, repeated }: Tally, out: Output): void {
  for (const { skipped: id, why } of skipped.slice(0, MAX_SHOWN)) out.note(`left out: ${id} (${why})`)
  if (repeated > 0)
    out.note(
      `${many(repeated, 'id comes', 'ids come')} more than once; the last document with an id is kept (--prefix keeps folders apart)`,
    )
}

function showEstimate(corpus: string, { count, known, size, skipped }: Tally, cost: Cost, out: Output): void {
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

function noteSurvey(
  { count, known, size }: Tally,
  { also, cost }: { readonly also: Also; readonly cost: Cost | undefined },
  out: Output,
): void {
  const there = known ? `; ${many(known, 'is', 'are')} already here, at no cost if unchanged` : ''
  const more = also.count ? `; ${many(also.count, also.noun)}` : ''
  out.note(`${many(count, 'document')}, ${(size / 1e6).toFixed(1)} MB of text${there}${more}`)
  if (cost && count > known) out.note(`the new ones: about ${many(cost.tokens, 'token')}, ${formatPrice(cost)}`)
}

async function confirmCost({ count, known }: Tally, cost: Cost | undefined, stdin: NodeJS.ReadStream): Promise<void> {
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
