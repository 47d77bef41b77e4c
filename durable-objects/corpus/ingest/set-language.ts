/** A document's language is corrected: the unchanged document is indexed again in the given language, and found by its words once its job has succeeded. */
import type { Asker } from '../../../src/core/access/labels'
import type { Language } from '../../../src/core/text/languages'
import type { Actor } from '../../../src/ports/audit'
import type { Accepted } from '../../../src/ports/jobs'
import { mayRead } from '../access/readable'
import { addAuditEntries } from '../audit/log'
import type { CorpusContext } from '../store'
import { setJobKey } from '../tables/job'
import { readNewestRevision } from '../tables/revision'
import { accept } from './accept'
import { storedInput } from './stored-input'

interface Change {
  readonly id: string
  /** Null: the one detected from its text. */
  readonly language: Language | null
  readonly asker?: Asker | undefined
}

/** Null: there is no such document, or none that the asker may read. */
export function setLanguage(context: CorpusContext, { id, language, asker }: Change, by: Actor | undefined): Accepted | null {
  const { sql } = context
  const revision = readNewestRevision(sql, id)
  if (!revision || !mayRead(context, id, asker)) return null
  return context.atomically(() => {
    const accepted: Accepted =
      language !== null && revision.language === language
        ? { kind: 'unchanged', documents: [{ document: id, status: 'unchanged' }] }
        : accept(context, { kind: 'ingest', upserts: [storedInput(sql, revision, language)], deletes: [] })
    const outcome = accepted.kind === 'accepted' ? 'done' : accepted.kind
    addAuditEntries(context, by, [{ action: 'document.language', document: id, outcome }])
    if (by && accepted.kind === 'accepted') setJobKey(sql, accepted.job, by.key)
    return accepted
  })
}
