/** The health of a corpus: the schedule's findings in words, including the good ones. */

import type { Corpus, CorpusHealth } from '../../../src/client/client'
import { IN_PART, seesWhole } from '../access/whole-sight'
import { faultWords } from '../jobs/fault-words'
import { to } from '../route'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Busy, Failure } from '../shared/notices'
import { count, duration, percent, plural, when } from '../shared/numbers'
import { todo } from './health-advice'
import { type Finding, ontologyFindings, replyFindings } from './reply-findings'

export function HealthCard({ corpus }: { readonly corpus: Corpus }) {
  if (seesWhole(corpus)) return <WholeHealth corpus={corpus} />
  return (
    <section class="card" aria-labelledby="health">
      <h2 id="health">Health</h2>
      <p class="fine">{IN_PART}</p>
    </section>
  )
}

function WholeHealth({ corpus: { corpus, version, reranking } }: { readonly corpus: Corpus }) {
  const { value, fault, again } = useLoad((signal) => corpusAt(corpus, signal).health(), [corpus, version])
  return (
    <section class="card" aria-labelledby="health">
      <h2 id="health">Health</h2>
      <Failure fault={fault} again={again} />
      {!value && !fault && <Busy />}
      {value && (
        <>
          <ul class="plain found">
            {findings(value).map(({ name, said, good }) => (
              <li key={name + said}>
                <span class="status" data-status={good === null ? 'unknown' : good ? 'ok' : 'partial'}>
                  {name}
                </span>
                <span>{said}</span>
                {good === false && <p class="fine">{todo(name)}</p>}
              </li>
            ))}
          </ul>
          <Probes corpus={corpus} health={value} />
          {reranking && <p class="fine">{rerankingSentence(reranking)}</p>}
          <p class="fine">{value.last_tend ? `Last checked ${when(value.last_tend)}.` : 'Not checked yet.'}</p>
        </>
      )}
    </section>
  )
}

const UNCHECKED = 'Not checked yet. Loam does that by itself, a few nodes at a time.'

function rerankingSentence({ reranker, weight, measured }: NonNullable<Corpus['reranking']>): string {
  if (!measured) return `The re-ranker ${reranker} is not used until it has been measured on this corpus.`
  const { probes, without, with: gained } = measured
  if (weight === 0)
    return `The re-ranker ${reranker} is not used here: it brings no gain on ${plural(probes, 'probe')} made from the corpus.`
  return `The re-ranker ${reranker} contributes ${percent(weight)} of a score here: on ${plural(probes, 'probe')} made from the corpus, ranking improves from ${without.toFixed(2)} to ${gained.toFixed(2)}, of 1.`
}

function retriesWords({ waiting, given_up: givenUp }: CorpusHealth['retries']): string {
  const again = waiting > 0 ? ` A model will be asked about ${plural(waiting, 'chunk')} again.` : ''
  return again + (givenUp > 0 ? ` After six attempts, ${plural(givenUp, 'chunk')} ${givenUp === 1 ? 'was' : 'were'} given up.` : '')
}

export function findings(health: CorpusHealth): readonly Finding[] {
  const { nodes, names, quality, owed, quarantined, retries, outdated, outbox, drift, gate, pending } = health
  const behind = `The vector index and the database are ${plural(outbox.versions_behind, 'version')} behind; ${plural(outbox.entries, 'entry', 'entries')} are being sent.`
  return [
    {
      name: 'Stale texts',
      good: nodes && nodes.stale === 0,
      said: nodes
        ? nodes.stale === 0
          ? 'No summary or description is older than what it was written from.'
          : `Of ${plural(nodes.seen, 'node')}, ${count(nodes.stale)} are described by a text that is older than what it was written from.`
        : UNCHECKED,
    },
    {
      name: 'Orphans',
      good: nodes && nodes.orphans === 0,
      said: nodes
        ? nodes.orphans === 0
          ? 'Everything in the graph comes from a document.'
          : `${plural(nodes.orphans, 'node')} in the graph no longer come from any document.`
        : UNCHECKED,
    },
    {
      name: 'Quarantine',
      good: quarantined === 0,
      said:
        quarantined === 0
          ? 'Every document was read completely.'
          : `Only part of ${plural(quarantined, 'document')} could be read: ${reasonWords(health)}.${retriesWords(retries)}`,
    },
    ...replyFindings(health),
    ...(outdated > 0
      ? [
          {
            name: 'Prompts',
            good: true,
            said: `A model has read ${plural(outdated, 'chunk')} with other prompts or another ontology. Loam has them read again by itself, a few at a time.`,
          },
        ]
      : []),
    ...(names === 'outdated'
      ? [{ name: 'Names', good: false, said: 'The names in the graph were found by the rules of an earlier release.' }]
      : []),
    ...ontologyFindings(health),
    { name: 'Texts waiting for a model', good: owed.texts === 0, said: pendingWords(owed) },
    {
      name: 'Copies',
      good: outbox.entries === 0,
      said: outbox.entries === 0 ? 'The vector index and the database have every change.' : behind,
    },
    ...storeFindings(health),
    ...(drift
      ? [
          {
            name: 'Drift',
            good: drift.churn < 0.2,
            said: `${percent(drift.churn)} of the passages were added or removed since the graph was last consolidated.`,
          },
        ]
      : []),
    ...(quality?.measures ?? []).map(({ strategy, measure, lost, bound }) => ({
      name: 'Quality',
      good: lost <= bound,
      said: `The ${measure} of ${strategy} is ${percent(lost)} below that of a consolidated graph; ${percent(bound)} is allowed.`,
    })),
    ...(gate
      ? [
          {
            name: 'Last gate',
            good: gate.promoted,
            said: `The last ${gate.kind} was ${gate.promoted ? 'accepted' : 'refused'} ${when(gate.at)}.`,
          },
        ]
      : []),
    ...(pending ? [{ name: 'Settings', good: false, said: 'The settings have changed since the graph was built.' }] : []),
  ]
}

/** The reasons, most frequent first. */
function reasonWords({ quarantine_reasons: reasons }: CorpusHealth): string {
  const all = Object.entries(reasons).sort(([, a], [, b]) => b - a)
  return all.map(([reason, n]) => (all.length > 1 ? `${faultWords(reason)} (${count(n)})` : faultWords(reason))).join('; ')
}

const NEARLY = 0.8 // of the storage that a corpus may use

/** The vector index and the database outside the corpus, and its own storage. */
function storeFindings({ sinks: { index, model }, storage }: CorpusHealth): readonly Finding[] {
  const refused = index.refused > 0 ? ` It refused ${plural(index.refused, 'vector')}.` : ''
  const delay = index.delay_ms === null ? '' : ` New vectors are found after ${duration(index.delay_ms)}.`
  return [
    { name: 'Vector index', good: index.fault === null && index.refused === 0, said: storeWords(index) + refused + delay },
    { name: 'Database', good: model.fault === null, said: storeWords(model) },
    {
      name: 'Storage',
      good: storage.share < NEARLY,
      said: `The corpus uses ${percent(storage.share)} of its ${count(Math.round(storage.limit / 1e6))} MB.`,
    },
  ]
}

function storeWords({ fault, missing, foreign }: CorpusHealth['sinks']['model']): string {
  const tried = fault && `${plural(fault.tries, 'attempt')}, code ${fault.code}`
  const state = fault ? `It has been failing since ${when(fault.at)} (${tried}).` : 'It works without faults.'
  const repaired = ` So far Loam has added ${count(missing)} missing and removed ${count(foreign)} surplus entries.`
  return missing + foreign > 0 ? state + repaired : state
}

function pendingWords({ texts, retry_at }: CorpusHealth['owed']): string {
  if (texts === 0) return 'No text waits for a model.'
  const next = retry_at === null ? 'Loam will ask it again' : `it is asked again ${when(retry_at)}`
  return `${plural(texts, 'text')} could not be written because the model was unavailable; ${next}.`
}

function Probes({ corpus, health: { probes } }: { readonly corpus: string; readonly health: CorpusHealth }) {
  const recalls = Object.entries(probes.recall)
  if (probes.count === 0) {
    return (
      <p class="hint">
        No probes are pinned. <a href={to(['c', corpus, 'checks'], { view: 'probes' })}>Pin questions</a> and the documents they must find;
        a rebuild that finds fewer is then refused.
      </p>
    )
  }
  return (
    <>
      <p>
        <a href={to(['c', corpus, 'checks'], { view: 'probes' })}>{plural(probes.count, 'probe')}</a> {probes.count === 1 ? 'is' : 'are'}{' '}
        pinned
        {recalls.length === 0 ? '; none has been asked yet.' : '.'}
      </p>
      {recalls.length > 0 && (
        <dl class="pairs">
          {recalls.map(([strategy, recall]) => (
            <div key={strategy}>
              <dt>
                {strategy}, recall@{probes.k}
              </dt>
              <dd>{percent(recall)}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}
