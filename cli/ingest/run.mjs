/** The way of documents from wherever they are read to "they can be found": survey, question, sending, waiting, one summary. */
import { Failure } from '../failure.mjs'
import { fields, many, seconds } from '../output.mjs'
import { agreed } from '../question.mjs'
import { wholeNumber } from '../request.mjs'
import { made } from './made.mjs'
import { sent } from './side-by-side.mjs'
import { survey } from './survey.mjs'

const PARALLEL = 4
const TOLD = 100 // documents between two words on how far the reading is
const SHOWN = 20 // skipped or refused documents named at the end
const NONE = { count: 0, says: '', after: async () => ({}) }

/**
 * @param {{client: object, corpus: string, read: () => AsyncIterable<object>, values: object, out: object, stdin: object,
 *   config?: object, also?: {count: number, says: string, after: () => Promise<object>}}} what `config` makes a corpus that is new;
 *   `also` is what goes in besides documents, once they are there
 */
export async function takeIn({ client, corpus, read, values, out, stdin, config, also = NONE, now = () => Date.now() }) {
  const parallel = wholeNumber('parallel', values.parallel ?? String(PARALLEL))
  const target = await made({ client, corpus, out, config })
  const priced = values.estimate === true || values.yes !== true
  const told = (count) => count % TOLD === 0 && out.progress({ share: 0, says: `read ${many(count, 'document')}` })
  const found = await survey({ client, corpus: target, read, priced, told })
  for (const { skipped, why } of found.skipped.slice(0, SHOWN)) out.note(`left out: ${skipped} (${why})`)
  if (found.twice > 0)
    out.note(`${many(found.twice, 'id comes', 'ids come')} more than once; the last document of an id stays (--prefix keeps folders apart)`)
  if (found.count + also.count === 0) throw new Failure('there is nothing to take in')
  if (values.estimate) return estimated(corpus, found, out)
  surveyed(found, also, out)
  await agreedTo(found, stdin)
  const began = now()
  const lanes = found.twice > 0 ? 1 : parallel // side by side, the last of an id could arrive first
  const summary = await sent({ client, corpus, found, parallel: lanes, values, out, began, now })
  const whole = { corpus, documents: found.count, ...summary, skipped: found.skipped, ...(await also.after()), ms: now() - began }
  out.result(whole, {
    people: said,
    plain: (all) => fields('documents', all.documents, all.accepted, all.unchanged, all.refused.length, all.skipped.length),
  })
  if (summary.failed.length) throw new Failure(`${many(summary.failed.length, 'job')} failed: ${summary.failed.slice(0, SHOWN).join(', ')}`)
  if (summary.refused.length || found.skipped.length) process.exitCode = 1
}

function estimated(corpus, { count, known, size, cost, skipped }, out) {
  const { tokens, usd, least, most } = cost
  out.result(
    { corpus, documents: count, known, bytes: size, skipped, tokens, usd, bounds: { least: { usd: least }, most: { usd: most } } },
    {
      people: (all) => `${many(all.documents - all.known, 'document')} to pay for: some ${many(tokens, 'token')}, ${priceOf(cost)}`,
      plain: () => fields('estimate', count, known, tokens, usd, least, most),
    },
  )
}

function surveyed({ count, known, size, cost }, also, out) {
  const there = known ? `; ${many(known, 'is', 'are')} here already, and cost nothing where unchanged` : ''
  out.note(
    `${many(count, 'document')}, ${(size / 1e6).toFixed(1)} MB of text${there}${also.count ? `; ${many(also.count, also.says)}` : ''}`,
  )
  if (cost && count > known) out.note(`the new ones: some ${many(cost.tokens, 'token')}, ${priceOf(cost)}`)
}

async function agreedTo({ count, known, cost }, stdin) {
  if (!cost || cost.most === 0 || count === known) return
  const otherwise = 'this may cost money and nobody can be asked here; --yes goes on without'
  if (!(await agreed('Take them in?', { stdin, otherwise }))) throw new Failure('nothing was sent', { code: 'declined' })
}

const priceOf = ({ usd, least, most }) => (most === 0 ? 'free here' : `${dollars(usd)} (${dollars(least)} to ${dollars(most)})`)
const dollars = (amount) => (amount > 0 && amount < 0.01 ? '<$0.01' : `$${amount.toFixed(2)}`)

function said({ accepted, unchanged, indexed, refused, skipped, labels, tokens, ms }) {
  return [
    `${many(accepted, 'document')} taken in${indexed === accepted ? '' : `, ${indexed} indexed so far`}, ${unchanged} unchanged, in ${seconds(ms)}; ${many(tokens, 'token')}`,
    ...(labels ? [`${many(labels, 'label')} taken in`] : []),
    ...refused.slice(0, SHOWN).map(({ id, why }) => `refused: ${id} (${why})`),
    ...(skipped.length ? [`${many(skipped.length, 'file')} left out`] : []),
  ].join('\n')
}
