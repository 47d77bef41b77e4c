/** Documents: put, listed, read, and who may read them. */
import type { CorpusObject } from '../../../src/ports/object'
import { labelsIn } from '../access/readable'
import { addAuditEntries } from '../audit/log'
import { refuseClosed } from '../division/closed'
import type { CorpusHost } from '../host'
import { acceptWithAudit } from '../ingest/accept-with-audit'
import { correctChunk } from '../ingest/correct-chunk'
import { describingTerms } from '../ingest/describing'
import { divideAhead } from '../ingest/divide-ahead'
import * as documents from '../ingest/documents'
import { changedAccess, setAccess } from '../ingest/set-access'
import { setLanguage } from '../ingest/set-language'
import { isIntegrating } from '../jobs/integration-state'
import { listChanges } from '../query/changes'
import { listChunks } from '../query/chunks'
import { locateQuotes } from '../query/locations'
import { readNewestAccess } from '../tables/revision'
import { reserveWithWhole } from './budget'

export function documentsCalls(
  host: CorpusHost,
): Pick<
  CorpusObject,
  | 'accept'
  | 'documents'
  | 'document'
  | 'documentFile'
  | 'chunks'
  | 'correctChunk'
  | 'changes'
  | 'describing'
  | 'setAccess'
  | 'setLanguage'
  | 'verify'
> {
  return {
    async accept(request, by) {
      if (request.upserts.length > 0) {
        host.refuseMismatch()
        await host.refreshStoreSizes()
        if (host.served()) await reserveWithWhole(host, [])
      }
      const before = host.served()
      const ahead = before && (await divideAhead(before, request.upserts))
      const context = host.served()
      if (!context) return { kind: 'gone' }
      // Checked again after the wait: another waiting call may have begun the next one.
      while (isIntegrating(host.store) && changedAccess(context, request.upserts).length > 0) await host.waitForIntegration()
      const accepted = acceptWithAudit(context, by, request, ahead)
      if (accepted.kind === 'accepted' || accepted.kind === 'unchanged') await host.changed()
      return accepted
    },

    async documents(cursor, limit, asker, prefix) {
      return documents.documents(host.ready(), cursor, limit, asker, prefix)
    },

    async document(id, asker) {
      const context = host.served()
      return context ? documents.document(context, id, asker) : null
    },

    async documentFile(id, place, asker) {
      const context = host.served()
      return context ? documents.documentFile(context, id, place, asker) : null
    },

    async chunks(id, place, asker) {
      const context = host.served()
      return context ? listChunks(context, id, place, asker) : null
    },

    async correctChunk(correction, asker, by) {
      host.refuseMismatch()
      await host.refreshStoreSizes()
      const context = host.served()
      if (!context) return { kind: 'gone' }
      const corrected = correctChunk(context, correction, { asker, by })
      if (corrected?.kind === 'accepted') await host.changed()
      return corrected
    },

    async changes(request, asker) {
      const context = request.document === null ? host.ready() : host.served()
      return context ? listChanges(context, request, asker) : null
    },

    async describing(document, hash) {
      const context = host.served()
      return context ? describingTerms(context, document, hash) : null
    },

    async setAccess(id, change, asker, by) {
      while (isIntegrating(host.store)) await host.waitForIntegration()
      const context = host.ready()
      if (!documents.document(context, id, asker)) return null
      const version = context.atomically(() => {
        refuseClosed(context.sql)
        const outcome = 'done'
        const active = change.active === undefined ? [] : [{ action: 'document.active' as const, document: id, outcome }]
        const access = change.access ? [{ action: 'document.access' as const, document: id, outcome }] : []
        addAuditEntries(context, by, [...access, ...active])
        return setAccess(context, changedAccess(context, [{ id, ...change }]))
      })
      const { access = '[]', active = 1 } = readNewestAccess(context.sql, id) ?? {}
      return host.afterChange({ version: version ?? context.graph.version, access: labelsIn(access), active: active === 1 })
    },

    async setLanguage(id, language, asker, by) {
      host.refuseMismatch()
      await host.refreshStoreSizes()
      const context = host.served()
      if (!context) return { kind: 'gone' }
      const accepted = setLanguage(context, { id, language, asker }, by)
      if (accepted?.kind === 'accepted') await host.changed()
      return accepted
    },

    async verify(quotes) {
      return locateQuotes(host.ready(), quotes)
    },
  }
}
