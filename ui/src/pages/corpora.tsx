/** All corpora that this key sees, and a form for new ones. */
import { useState } from 'preact/hooks'
import type { Corpus } from '../../../src/client/client'
import { Allowed, lacking } from '../access/rights'
import { RestoreBackup } from '../backups/restore-backup'
import { useOffer } from '../library/estimate'
import { NewCorpus } from '../library/new-corpus'
import { loadSample, SAMPLE } from '../library/sample'
import { go, to } from '../route'
import { key, keyOrName } from '../session'
import { useLoad } from '../shared/load'
import { corpusAt, loam } from '../shared/loam'
import { Busy, Command, Empty, Failure } from '../shared/notices'
import { count, dollars, plural } from '../shared/numbers'
import { StatusWord } from '../shared/status-word'

export function CorporaPage() {
  return key.value === '' ? <NeedsKey /> : <Corpora />
}

/** The service lists nothing without a key, so it is not asked. */
function NeedsKey() {
  return (
    <section class="page">
      <h1>Corpora</h1>
      <p>The list of corpora needs a key. Without one, open a public corpus by its name, or sign in.</p>
    </section>
  )
}

function Corpora() {
  const [cursor, turn] = useState<string | null>(null)
  const list = useLoad((signal) => loam({ signal }).corpora({ deleted: true, ...(cursor ? { cursor } : {}) }), [cursor])
  const { value, fault, again } = list
  return (
    <section class="page">
      <h1>Corpora</h1>
      <Failure fault={fault} again={again} />
      {!value && !fault && <Busy />}
      {value?.data.length === 0 && cursor === null && <First />}
      {value && value.data.length > 0 && (
        <ul class="cards">
          {value.data.map((corpus) => (
            <li key={`${corpus.corpus} ${corpus.created_at}`}>
              {corpus.status === 'deleted' || corpus.status === 'deleting' ? (
                <Deleted corpus={corpus} again={again} />
              ) : (
                <Card corpus={corpus} />
              )}
            </li>
          ))}
        </ul>
      )}
      <p class="row">
        {cursor !== null && (
          <button type="button" onClick={() => turn(null)}>
            From the beginning
          </button>
        )}
        {value?.next_cursor && (
          <button type="button" onClick={() => turn(value.next_cursor)}>
            More
          </button>
        )}
      </p>
      <Allowed scope="admin">
        <NewCorpus />
        <RestoreBackup done={again} />
      </Allowed>
    </section>
  )
}

function Card({ corpus: { corpus, status, tuning, counts, strategies, usage, public: open } }: { readonly corpus: Corpus }) {
  return (
    <a class="card link" href={to(['c', corpus])}>
      <span class="row">
        <strong class="name">{corpus}</strong>
        <span class="grow" />
        {open && <span class="tag">public</span>}
        {tuning && <StatusWord status="tuning" />}
        <StatusWord status={status} />
      </span>
      <span>
        {plural(counts.documents ?? 0, 'document')}, {plural(counts.entities ?? 0, 'entity', 'entities')},{' '}
        {plural(counts.summaries ?? 0, 'summary', 'summaries')}
      </span>
      <span class="fine">{strategies.join(' · ') || 'baselines'}</span>
      <span class="fine">
        {count(usage.in + usage.out + usage.embedded)} tokens, {dollars(usage.usd ?? 0)}
      </span>
    </a>
  )
}

/** It answers nothing, so there is nothing to open. Keys that may not undelete it do not see it. */
function Deleted({ corpus: { corpus, status, gone_at }, again }: { readonly corpus: Corpus; readonly again: () => void }) {
  const [fault, fail] = useState<unknown>()
  const undelete = async () => {
    fail(undefined)
    try {
      await corpusAt(corpus).undelete()
      again()
    } catch (error) {
      fail(error)
    }
  }
  return (
    <div class="card">
      <span class="row">
        <strong class="name">{corpus}</strong>
        <span class="grow" />
        <StatusWord status={status} />
      </span>
      {gone_at ? (
        <span class="row">
          <span class="grow">
            Being deleted <time dateTime={gone_at}>{new Date(gone_at).toLocaleString()}</time>
          </span>
          <button type="button" onClick={undelete}>
            Undelete
          </button>
        </span>
      ) : (
        <span>Its contents are being removed.</span>
      )}
      <Failure fault={fault} />
    </div>
  )
}

/** Nothing here yet: the quickest way to see something, and how to do it by hand. */
function First() {
  const [busy, work] = useState(false)
  const [fault, fail] = useState<unknown>()
  const { agreed, question } = useOffer(SAMPLE)
  const load = async () => {
    work(true)
    fail(undefined)
    try {
      await loadSample(SAMPLE, agreed)
      go(['c', SAMPLE])
    } catch (error) {
      fail(error)
      work(false)
    }
  }
  return (
    <Empty title="No corpus yet">
      <p>A corpus is a set of documents you search together. To look around, start with seven speeches of George Washington:</p>
      <p>
        <button type="button" class="primary" disabled={busy || lacking('admin') !== ''} onClick={load}>
          {busy ? 'Loading …' : 'Load the sample'}
        </button>
      </p>
      {question}
      <Failure fault={fault} />
      <p>Or give one a name below, open it and drop your files.</p>
      <details>
        <summary>The same from a terminal</summary>
        <Command text={firstSteps()} />
      </details>
    </Empty>
  )
}

function firstSteps(): string {
  return `export LOAM=${location.origin}/v1/corpora/notes AUTH="authorization: Bearer ${keyOrName()}"
curl -X PUT $LOAM -H "$AUTH"
curl -X PUT $LOAM/documents/first -H "$AUTH" -H 'content-type: text/markdown' --data-binary @README.md
curl $LOAM/query -H "$AUTH" --json '{"query": "What is this about?"}'`
}
