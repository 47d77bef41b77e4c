/** The audit logs. */
import { z } from 'zod'
import type { Immutable } from './immutable'

/** http, page: our own interface, and the web page that uses it · hook, source: what brought a document · cron: the schedule. */
export const DOORS = ['http', 'page', 'mcp', 'openai', 'hook', 'source', 'cron'] as const
export type Door = (typeof DOORS)[number]

/** What may be in an audit log; for reads, the possible ones: `read.` and the part of the path after the corpus's name. */
export const ACTIONS = [
  'corpus.create',
  'corpus.settings',
  'corpus.delete',
  'corpus.undelete',
  'corpus.reindex',
  'corpus.consolidate',
  'corpus.rebuild',
  'corpus.languages',
  'corpus.migrate',
  'corpus.repartition',
  'corpus.restore',
  'document.put',
  'document.delete',
  'document.access',
  'document.active',
  'document.language',
  'document.correct',
  'job.cancel',
  'job.retry',
  'probes.put',
  'label.put',
  'label.delete',
  'label.learn',
  'label.unlearn',
  'filter.put',
  'filter.rename',
  'filter.delete',
  'entity.merge',
  'entity.part',
  'entity.split',
  'entity.rename',
  'entity.add',
  'entity.hide',
  'entity.pin',
  'relation.add',
  'relation.remove',
  'decision.undo',
  'source.create',
  'source.delete',
  'source.fetch',
  'source.rotate',
  'endpoint.create',
  'endpoint.rotate',
  'endpoint.delete',
  'delivery.repeat',
  'hook.create',
  'hook.rotate',
  'hook.delete',
  'question.forget',
  'conversation.forget',
  'alerts.put',
  'alerts.test',
  'key.create',
  'key.rotate',
  'key.limit',
  'key.revoke',
] as const
export type AuditAction = (typeof ACTIONS)[number] | `read.${string}`

const by = {
  at: z.string().describe('ISO 8601.'),
  key: z
    .string()
    .describe('The id of the key, webhook or source that did it; `admin` for the admin key, `nobody` if no key was sent. Never a secret.'),
  door: z.enum(DOORS).describe('The interface it came through. `page` is what the web page says about itself.'),
  action: z.string().describe('`document.put`, `corpus.settings`, `hook.rotate`, `read.search`, …'),
}

const outcome = z.string().describe('`done`, or why it was refused.')
export const auditEntry = z
  .object({
    n: z
      .int()
      .min(1)
      .describe(
        'A sequence number. It has no gaps except where old entries have been deleted. In a corpus with partitions each log has its own.',
      ),
    partition: z
      .int()
      .min(-1)
      .optional()
      .describe(
        'In a corpus with partitions: the partition whose log has the entry, or -1 for the log of the whole corpus. Otherwise absent.',
      ),
    ...by,
    document: z.string().nullable().describe('The id of the document it is about.'),
    subject: z
      .string()
      .nullable()
      .describe('The id of anything else it is about: a job, a label, a webhook, an endpoint, a source, an entity.'),
    outcome,
  })
  .describe('Who did what, when, to what, and through which interface.')

export const deploymentEntry = z
  .object({ ...by, subject: z.string().describe('The id of the key, or the name of the corpus.'), outcome })
  .describe('Something done to a key or to a whole corpus.')

export type AuditEntry = Immutable<z.output<typeof auditEntry>>
export type DeploymentEntry = Immutable<z.output<typeof deploymentEntry>>
