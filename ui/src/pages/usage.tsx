/** What the corpus has used and may use, its health, work on it as a whole, and how to leave with everything. */
import { useState } from 'preact/hooks'
import type { Corpus } from '../../../src/client/client'
import { DefaultAccess } from '../access/default-access'
import { Allowed, lacking } from '../access/rights'
import { BackupRow } from '../backups/backup-row'
import { RestoreTo } from '../backups/restore-to'
import { follow, forget } from '../jobs/followed'
import { Budget } from '../operate/budget'
import { Chunking } from '../operate/chunking'
import { DaysCard } from '../operate/days'
import { Earlier } from '../operate/earlier'
import { EmbeddingCard } from '../operate/embedding'
import { GuidanceCard } from '../operate/guidance'
import { HealthCard } from '../operate/health'
import { KeptAnswers } from '../operate/kept-answers'
import { ModelsCard } from '../operate/models'
import { OntologyCard } from '../operate/ontology'
import { PartitionsRow } from '../operate/partitions-row'
import { Pictures } from '../operate/pictures'
import { QuestionsCard } from '../operate/questions'
import { RoleModels } from '../operate/role-models'
import { Spending } from '../operate/spending'
import { go } from '../route'
import { useConfirm } from '../shared/confirm'
import { corpusAt } from '../shared/loam'
import { Failure } from '../shared/notices'
import { saveAs } from '../shared/save-as'
import { optional, optionalInPartitions } from '../strategies/strategies'
import { StrategyChoice } from '../strategies/strategy-choice'
import type { TabProps } from './tab-props'

export function UsagePage({ corpus, again }: TabProps) {
  const [fault, fail] = useState<unknown>()
  const isDivided = corpus.partitions > 1 // no model takes names from its texts, and its answers are not kept
  const change = async (body: object) => {
    fail(undefined)
    await corpusAt(corpus.corpus).create(body).then(again, fail)
  }
  return (
    <>
      <h1 class="visually-hidden">Usage and settings of {corpus.corpus}</h1>
      <Failure fault={fault} />
      <div class="flow">
        <Spending corpus={corpus} />
        <DaysCard corpus={corpus.corpus} version={corpus.version} />
        <HealthCard corpus={corpus} />
        <ModelsCard />
        <EmbeddingCard corpus={corpus} again={again} />
        <Allowed scope="admin">
          <Budget corpus={corpus} change={change} />
          <QuestionsCard corpus={corpus} change={change} />
          <DefaultAccess corpus={corpus} change={change} />
          {!isDivided && <KeptAnswers corpus={corpus} change={change} />}
          <Chunking corpus={corpus} change={change} />
          <Pictures corpus={corpus} change={change} />
          <Earlier corpus={corpus} change={change} />
          {!isDivided && <OntologyCard corpus={corpus} change={change} />}
          {!isDivided && <GuidanceCard corpus={corpus} change={change} />}
          <RoleModels corpus={corpus} change={change} />
          <Switched corpus={corpus} change={change} />
        </Allowed>
        <Upkeep corpus={corpus} fail={fail} />
        <RestoreTo corpus={corpus} again={again} />
      </div>
    </>
  )
}

interface Changing {
  readonly corpus: Corpus
  readonly change: (body: object) => Promise<void>
}

function Switched({ corpus, change }: Changing) {
  const [chosen, pick] = useState(corpus.strategies)
  const names = corpus.partitions > 1 ? optionalInPartitions : optional
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault()
        void change({ strategies: chosen })
      }}
    >
      <h2>Strategies</h2>
      <label class="check">
        <input type="checkbox" checked={corpus.public} onChange={(event) => void change({ public: event.currentTarget.checked })} />
        <span>
          Public <span class="fine">anyone may read and ask, without a key, 60 times a minute</span>
        </span>
      </label>
      {names.length > 0 && <StrategyChoice legend="Switched on" names={names} chosen={chosen} pick={pick} />}
      {names.length > 0 && <button type="submit">Save</button>}
    </form>
  )
}

type Action = 'reindex' | 'consolidate' | 'rebuild' | 'languages'

const UPKEEP: readonly (readonly [action: Action, name: string, what: string])[] = [
  ['reindex', 'Reindex', 'Builds a new graph beside the one in use, with the latest settings'],
  ['consolidate', 'Consolidate', 'Ranks, clusters and tidies the whole graph'],
  ['languages', 'Detect languages', 'Detects the language of documents indexed before Loam recorded it. If it was stopped, it continues'],
  ['rebuild', 'Rebuild', 'Builds everything again from the documents, and refills the indexes'],
]

function Upkeep({ corpus: about, fail }: { readonly corpus: Corpus; readonly fail: (fault: unknown) => void }) {
  const { corpus } = about
  const start = async (action: Action) => {
    try {
      const here = corpusAt(corpus)
      const { job } = await (action === 'languages' ? here.detectLanguages() : here.upkeep(action))
      go(['c', corpus])
      await follow(corpus, job, action)
    } catch (error) {
      fail(error)
    }
  }
  const { ask, dialog } = useConfirm()
  const remove = async () => {
    const text = 'This deletes every document and everything derived from them.'
    if (!(await ask({ title: `Delete the corpus “${corpus}”?`, text, yes: 'Delete the corpus', typed: corpus }))) return
    try {
      await corpusAt(corpus).drop()
      forget(corpus)
      go([])
    } catch (error) {
      fail(error)
    }
  }
  return (
    <section class="card" aria-labelledby="upkeep">
      <h2 id="upkeep">Upkeep</h2>
      {dialog}
      <ul class="plain">
        {UPKEEP.map(([action, name, what]) => (
          <li key={action} class="row">
            <span class="grow">{what}</span>
            <button type="button" disabled={lacking('write') !== ''} title={lacking('write')} onClick={() => start(action)}>
              {name}
            </button>
          </li>
        ))}
        <li class="row">
          <span class="grow">Everything, to keep or to open elsewhere</span>
          <button type="button" onClick={() => save(corpus, 'jsonl').catch(fail)}>
            JSONL
          </button>
          <button type="button" onClick={() => save(corpus, 'graphml').catch(fail)}>
            GraphML
          </button>
        </li>
        <BackupRow corpus={corpus} fail={fail} />
        <PartitionsRow key={about.partitions} corpus={about} fail={fail} />
        <li class="row">
          <span class="grow">Delete the corpus and everything in it</span>
          <button type="button" class="danger" disabled={lacking('admin') !== ''} title={lacking('admin')} onClick={remove}>
            Delete
          </button>
        </li>
      </ul>
    </section>
  )
}

const save = async (corpus: string, format: 'jsonl' | 'graphml'): Promise<void> =>
  saveAs(await (await corpusAt(corpus).export(format)).blob(), `${corpus}.${format}`)
