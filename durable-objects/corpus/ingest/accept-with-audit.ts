/** The audit log's entries for submitted documents: one for each, in the transaction that accepts or refuses them. */
import type { Actor, AuditEvent } from '../../../src/ports/audit'
import type { Accepted } from '../../../src/ports/jobs'
import type { CorpusObject } from '../../../src/ports/object'
import { addAuditEntries } from '../audit/log'
import type { CorpusContext } from '../store'
import { setJobKey } from '../tables/job'
import { accept } from './accept'
import type { DividedAhead } from './divide-ahead'

type Request = Parameters<CorpusObject['accept']>[0] & { readonly isMoved?: true }

export function acceptWithAudit(context: CorpusContext, by: Actor | undefined, request: Request, ahead?: DividedAhead): Accepted {
  return context.atomically(() => {
    const accepted = accept(context, request, ahead)
    addAuditEntries(context, by, eventsOf(request, accepted))
    if (by && accepted.kind === 'accepted') setJobKey(context.sql, accepted.job, by.key)
    return accepted
  })
}

function eventsOf({ upserts, deletes }: Request, accepted: Accepted): AuditEvent[] {
  if (accepted.kind === 'duplicate') return [] // it was recorded when it first came
  const unchanged =
    'documents' in accepted ? accepted.documents.filter(({ status }) => status === 'unchanged').map((one) => one.document) : []
  const outcome = accepted.kind === 'accepted' ? 'done' : accepted.kind
  const same = new Set(unchanged)
  return [
    ...upserts.map(({ id }) => ({ action: 'document.put' as const, document: id, outcome: same.has(id) ? 'unchanged' : outcome })),
    ...deletes.map((id) => ({ action: 'document.delete' as const, document: id, outcome })),
  ]
}
