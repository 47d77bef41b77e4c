/** A corpus as it is returned: its record in the catalogue, and its state as its object reports it. */

import type { Corpus } from '../contract/corpora'
import type { Asker } from '../core/access/labels'
import { embeddingModelOf } from '../core/settings'
import { dedicatedOf, jurisdictionOf, partitionsOf } from '../corpus-uid'
import { auditDefaults } from '../ports/audit'
import type { CorpusRecord } from '../ports/catalogue'
import type { CorpusView } from '../ports/corpus'
import type { Deletion, Listed } from '../ports/deletion'
import { problemOf } from './failures'
import { isoTime, isoTimeOrNull } from './iso-time'
import { settingsView } from './settings'
import type { Wired } from './wired'

export async function showCorpus(world: Wired, record: CorpusRecord, asker: Asker) {
  if (record.isRecovering) return viewOf(record, { ...UNTOUCHED, status: 'restoring' })
  return viewOf(record, (await world.corpus(record.uid).view(asker)) ?? UNTOUCHED)
}

/** A corpus that cannot be reached does not hide others. */
export async function showListedCorpus(world: Wired, record: Listed, asker: Asker) {
  if (record.deletion) return viewOf(record)
  try {
    return await showCorpus(world, record, asker)
  } catch (error) {
    const { code } = problemOf(error)
    console.warn(JSON.stringify({ event: 'corpus_unavailable', corpus: record.uid, code }))
    return viewOf(record, { ...UNTOUCHED, status: 'unavailable' })
  }
}

/** A deleted corpus answers nothing, not even how much it holds. */
export function viewOf(record: Listed, state: State = { ...UNTOUCHED, status: deletionStatus(record) }): Corpus {
  const { status, tuning, reranking, progress, version, versions, counts, usage } = state
  return {
    corpus: record.name,
    status,
    tuning,
    ...(reranking ? { reranking } : {}),
    ...(progress ? { progress } : {}),
    version,
    counts,
    strategies: record.strategies,
    settings: settingsView(record.settings),
    embedding_model: embeddingModelOf(record.settings)?.id ?? null,
    dimensions: record.settings.dimensions,
    budget: record.budget,
    public: record.public,
    default_access: record.defaultAccess ?? null,
    audit: { ...auditDefaults, ...record.audit },
    jurisdiction: jurisdictionOf(record.uid) ?? null,
    location_hint: record.locationHint ?? null,
    partitions: partitionsOf(record.uid),
    ...(versions ? { versions } : {}),
    dedicated: dedicatedOf(record.uid) !== undefined,
    usage,
    undelete_seconds: record.undeleteSeconds ?? 0,
    created_at: isoTime(record.created),
    ...(record.deletion ? deletionView(record.deletion) : {}),
  }
}

type State = Omit<CorpusView, 'status'> & Pick<Corpus, 'status'>

const deletionStatus = ({ deletion }: Listed): Corpus['status'] => (deletion?.until == null ? 'deleting' : 'deleted')

function deletionView({ at, by, job, until }: Deletion) {
  return { deleted_at: isoTime(at), deleted_by: by, gone_at: isoTimeOrNull(until), job }
}

const UNTOUCHED: CorpusView = { status: 'settled', tuning: false, version: 0, counts: {}, usage: { in: 0, out: 0, embedded: 0, usd: 0 } }
