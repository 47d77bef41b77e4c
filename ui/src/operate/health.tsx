/** The health of a corpus: the schedule's findings in words, including the good ones. */

import type { Corpus, CorpusHealth } from '../../../src/client/client'
import { faultWords } from '../jobs/fault-words'
import { to } from '../route'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Busy, Failure } from '../shared/notices'
import { count, duration, percent, plural, when } from '../shared/numbers'

export function HealthCard({ corpus: { corpus, version, reranking } }: { readonly corpus: Corpus }) {
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
                {good === false && <p class="fine">{TODO[name]}</p>}
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

/** What to do about a finding that is not good, by its name. */
const TODO: Readonly<Record<string, string>> = {
  'Stale texts': 'Consolidate, under Upkeep, writes them again.',
  Orphans: 'Consolidate, under Upkeep, removes them.',
  Quarantine: 'These documents are still found by their words. A larger text model can usually read the rest.',
  'Texts waiting for a model': 'Loam requests them again automatically. If this lasts, check the model and the budget.',
  Copies: 'Loam sends it within minutes. If this lasts, the vector index or the database below says why.',
  'Vector index': 'Until then, questions use the vectors that the corpus itself holds. Loam tries again automatically.',
  Database: 'Questions are still answered; lists of entities and exports wait. Loam tries again automatically.',
  Storage: 'Delete what you no longer need, or put new documents into a second corpus.',
  Drift: 'Consolidate, under Upkeep, brings the graph up to date.',
  Quality: 'Consolidate, under Upkeep, groups the entities again.',
  'Last gate': 'The graph was left as it was. Checks shows which questions would have found less.',
  Settings: 'A reindex applies them: if none is in progress, start it under Upkeep.',
}

function rerankingSentence({ reranker, weight, measured }: NonNullable<Corpus['reranking']>): string {
  if (!measured) return `The re-ranker ${reranker} is not used until it has been measured on this corpus.`
  const { probes, without, with: gained } = measured
  if (weight === 0)
    return `The re-ranker ${reranker} is not used here: it brings no gain on ${plural(probes, 'probe')} made from the corpus.`
  return `The re-ranker ${reranker} contributes ${percent(weight)} of a score here: on ${plural(probes, 'probe')} made from the corpus, ranking improves from ${without.toFixed(2)} to ${gained.toFixed(2)}, of 1.`
}

interface Finding {
  readonly name: string
  readonly said: string
  /** Null: not known. */
  readonly good: boolean | null
}

function retriesWords({ waiting, given_up: givenUp }: CorpusHealth['retries']): string {
  const again = waiting > 0 ? `; ${plural(waiting, 'chunk')} asked about again` : ''
  return again + (givenUp > 0 ? `; ${plural(givenUp, 'chunk')} given up` : '')
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
          : `${plural(quarantined, 'document')} read in part: ${reasonWords(health)}${retriesWords(retries)}`,
    },
    ...replyFindings(health),
    ...(outdated > 0
      ? [
          {
            name: 'Prompts',
            good: true,
            said: `${plural(outdated, 'chunk')} read with other prompts or another ontology; they are re-read a few at a time`,
          },
        ]
      : []),
    ...(names === 'outdated'
      ? [{ name: 'Names', good: false, said: 'found with the rules of an earlier release; reindex the corpus to find them again' }]
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
      said: `${measure} of ${strategy} ${percent(lost)} below a consolidated graph`,
    })),
    ...(gate
      ? [{ name: 'Last gate', good: gate.promoted, said: `${gate.kind} ${gate.promoted ? 'promoted' : 'refused'}, ${when(gate.at)}` }]
      : []),
    ...(pending ? [{ name: 'Settings', good: false, said: 'Settings were changed after the graph was built.' }] : []),
  ]
}

/** The reasons, most frequent first. */
function reasonWords({ quarantine_reasons: reasons }: CorpusHealth): string {
  const all = Object.entries(reasons).sort(([, a], [, b]) => b - a)
  return all.map(([reason, n]) => (all.length > 1 ? `${faultWords(reason)} (${count(n)})` : faultWords(reason))).join('; ')
}

/** What in replies did not fit the corpus's kinds of names and relations. */
function ontologyFindings({ ontology }: CorpusHealth): Finding[] {
  if (!ontology || ontology.read === 0) return []
  const { mode, read, types, relations } = ontology
  const [names, pairs] = mode === 'strict' ? [types.dropped, relations.dropped] : [types.outside, relations.outside]
  const fate = mode === 'strict' ? 'left out' : 'kept as outside'
  const said = `${plural(names, 'name')} and ${plural(pairs, 'relation')} of other kinds ${fate}, in ${plural(read, 'passage')}`
  return [{ name: 'Kinds', good: true, said }]
}

/** For each role: which form of its prompt it is given, if replies have decided that, and how many replies were usable, or cut. */
function replyFindings({ replies }: CorpusHealth): Finding[] {
  return Object.entries(replies).map(([role, { form, is_useless: useless, ...forms }]) => {
    const said = (['full', 'short'] as const).flatMap((name) => {
      const tally = forms[name]
      if (!tally) return []
      const cut = tally.cut ? `, ${count(tally.cut)} cut off` : ''
      return [`${name} prompt: ${count(tally.used)} of ${plural(tally.asked, 'reply', 'replies')} usable${cut}`]
    })
    const given = form === 'short' ? ['the short prompt is used'] : []
    const once = useless ? ['this model is of almost no use here: choose another'] : []
    return { name: `Replies (${role})`, good: form !== 'short' && !useless, said: [...said, ...given, ...once].join('; ') }
  })
}

const NEARLY = 0.8 // of the storage that a corpus may use

/** The vector index and the database outside the corpus, and its own storage. */
function storeFindings({ sinks: { index, model }, storage }: CorpusHealth): readonly Finding[] {
  const refused = index.refused > 0 ? `; ${plural(index.refused, 'vector')} refused` : ''
  const delay = index.delay_ms === null ? '' : `; new vectors are found after ${duration(index.delay_ms)}`
  return [
    { name: 'Vector index', good: index.fault === null && index.refused === 0, said: storeWords(index) + refused + delay },
    { name: 'Database', good: model.fault === null, said: storeWords(model) },
    { name: 'Storage', good: storage.share < NEARLY, said: `${percent(storage.share)} of ${count(Math.round(storage.limit / 1e6))} MB` },
  ]
}

function storeWords({ fault, missing, foreign }: CorpusHealth['sinks']['model']): string {
  const state = fault ? `failing since ${when(fault.at)} (code ${fault.code}, ${plural(fault.tries, 'try', 'tries')})` : 'up to date'
  return missing + foreign > 0 ? `${state}; repaired so far: ${count(missing)} missing, ${count(foreign)} foreign` : state
}

function pendingWords({ texts, retry_at }: CorpusHealth['owed']): string {
  if (texts === 0) return 'No text waits for a model.'
  const next = retry_at === null ? 'the schedule asks the model again' : `the model is asked again ${when(retry_at)}`
  return `${plural(texts, 'text')} extracted while the model was unavailable; ${next}`
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
        <a href={to(['c', corpus, 'checks'], { view: 'probes' })}>{plural(probes.count, 'probe')}</a> pinned
        {recalls.length === 0 && '; they have not been asked yet'}
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
