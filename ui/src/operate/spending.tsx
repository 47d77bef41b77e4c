/** What the corpus has used: in all, by stage, and by the documents that cost most. */

import type { Amounts, Corpus, KeyUsage } from '../../../src/client/client'
import { to } from '../route'
import { useLoad } from '../shared/load'
import { Busy, Failure } from '../shared/notices'
import { count, dollars, plural } from '../shared/numbers'
import { type Spending as Spent, spendingOf } from './spending-totals'

const DEAREST = 8

const STAGES: Readonly<Record<string, string>> = {
  embed: 'embedding passages',
  convert: 'describing pictures and scans',
  ocr: 'reading pictures and scans',
  transcribe: 'transcribing recordings',
  extract: 'reading passages',
  summarize: 'summaries',
  report: 'reports on communities',
  question: 'embedding questions',
  rewrite: 'rewriting questions',
  expand: 'expanding questions',
  rerank: 'reranking',
  select: 'choosing evidence',
  answer: 'answers',
  filter: 'judging what was found',
  classify: 'classifying texts',
  describe: 'describing labels',
  judge: 'judging claims',
  unconfirmed: 'calls whose outcome is unknown, at their maximum',
}

export function Spending({ corpus }: { readonly corpus: Corpus }) {
  const { value, fault, again } = useLoad((signal) => spendingOf(corpus.corpus, signal), [corpus.corpus, corpus.version])
  const { usage } = corpus
  return (
    <section class="card" aria-labelledby="spent">
      <h2 id="spent">Used so far</h2>
      <dl class="pairs">
        <div>
          <dt>Read by text models</dt>
          <dd>{count(usage.in)} tokens</dd>
        </div>
        <div>
          <dt>Written by text models</dt>
          <dd>{count(usage.out)} tokens</dd>
        </div>
        <div>
          <dt>Embedded</dt>
          <dd>{count(usage.embedded)} tokens</dd>
        </div>
        <div>
          <dt>Cost, by the price table</dt>
          <dd>{dollars(usage.usd ?? 0)}</dd>
        </div>
      </dl>
      <Failure fault={fault} again={again} />
      {!value && !fault && <Busy />}
      {value && value.held.tokens > 0 && <p class="fine">Reserved for calls in progress: {count(value.held.tokens)} tokens.</p>}
      {value?.key && <p class="fine">Your key today (UTC): {dayOf(value.key)}.</p>}
      {value && <Parts corpus={corpus.corpus} spent={value} />}
    </section>
  )
}

function dayOf({ limits, tokens, usd, requests }: KeyUsage): string {
  const of = (used: string, limit: number | undefined, word: (n: number) => string) =>
    limit === undefined ? used : `${used} of ${word(limit)}`
  return [
    `${of(count(tokens), limits.tokens_a_day, count)} tokens`,
    of(dollars(usd), limits.usd_a_day, dollars),
    `${of(count(requests), limits.requests_a_day, count)} requests`,
  ].join(', ')
}

function Parts({ corpus, spent: { stages, documents, shared, more, prices } }: { readonly corpus: string; readonly spent: Spent }) {
  const rows = Object.entries(stages).filter(([, one]) => isUsed(one))
  const dearest = documents.filter(isUsed).toSorted(byCost).slice(0, DEAREST)
  if (rows.length === 0)
    return <p class="fine">Once documents are added or questions asked, this shows what each stage and each document cost.</p>
  return (
    <>
      <Bars
        caption="By stage"
        rows={rows.toSorted(([, a], [, b]) => byCost(a, b)).map(([stage, one]) => ({ name: STAGES[stage] ?? stage, one }))}
      />
      {dearest.length > 0 && (
        <Bars
          caption={more ? `Most expensive of the first ${count(documents.length)} documents` : 'Most expensive documents'}
          rows={dearest.map((one) => ({ name: one.document, href: to(['c', corpus, 'd', one.document]), one }))}
        />
      )}
      <p class="fine">
        {isUsed(shared) && `Not tied to one document: ${tokensOf(shared)}, ${dollars(shared.usd)}. `}Prices of {prices.date}.
      </p>
    </>
  )
}

interface BarsProps {
  readonly caption: string
  readonly rows: readonly { readonly name: string; readonly href?: string; readonly one: Amounts }[]
}

/** Bars show dollars; tokens if everything is free. */
function Bars({ caption, rows }: BarsProps) {
  const free = rows.every(({ one }) => one.usd === 0)
  const size = (one: Amounts) => (free ? one.in + one.out + one.embedded : one.usd)
  const most = Math.max(...rows.map(({ one }) => size(one)), 1e-12)
  return (
    <table class="bars spent">
      <caption>{caption}</caption>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">What</th>
          <th scope="col">Share</th>
          <th scope="col">Cost</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, href, one }) => (
          <tr key={name}>
            <th scope="row">{href ? <a href={href}>{name}</a> : name}</th>
            <td>
              <span class="bar" aria-hidden="true">
                <span style={{ width: `${(100 * size(one)) / most}%` }} />
              </span>
            </td>
            <td class="number">
              {dollars(one.usd)} <span class="fine">{tokensOf(one)}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A call may have served several documents, and is counted for one of them. */
const isUsed = (one: Amounts): boolean => one.calls + one.in + one.out + one.embedded > 0

const byCost = (a: Amounts, b: Amounts): number => b.usd - a.usd || b.in + b.out + b.embedded - (a.in + a.out + a.embedded)

const tokensOf = (one: Amounts): string => plural(one.in + one.out + one.embedded, 'token')
