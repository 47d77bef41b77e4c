/** The commands, in the order and under the headings of the help. */
import type { Command } from './command'
import { access } from './commands/access'
import { alerts } from './commands/alerts'
import { ask } from './commands/ask'
import { audit } from './commands/audit'
import { backup } from './commands/backup'
import { budget } from './commands/budget'
import { changes } from './commands/changes'
import { chunks } from './commands/chunks'
import { classify } from './commands/classify'
import { compare } from './commands/compare'
import { completionOf } from './commands/completion'
import { conversations } from './commands/conversations'
import { deleteCorpus } from './commands/delete'
import { deploy } from './commands/deploy'
import { doctor } from './commands/doctor'
import { documents } from './commands/documents'
import { entities, graph } from './commands/entities'
import { exportCorpus } from './commands/export'
import { filters } from './commands/filters'
import { forget } from './commands/forget'
import { health } from './commands/health'
import { hooks } from './commands/hooks'
import { importFiles } from './commands/import'
import { ingest } from './commands/ingest'
import { init } from './commands/init'
import { cancel, jobs, retry } from './commands/jobs'
import { keys } from './commands/keys'
import { labels } from './commands/labels'
import { language } from './commands/language'
import { metrics } from './commands/metrics'
import { migrate } from './commands/migrate'
import { models } from './commands/models'
import { names } from './commands/names'
import { open } from './commands/open'
import { probes } from './commands/probes'
import { questions } from './commands/questions'
import { receipts } from './commands/receipts'
import { reindex } from './commands/reindex'
import { repartition } from './commands/repartition'
import { restore } from './commands/restore'
import { search } from './commands/search'
import { show } from './commands/show'
import { sources } from './commands/sources'
import { start } from './commands/start'
import { status } from './commands/status'
import { undelete } from './commands/undelete'
import { usage } from './commands/usage'
import { verify } from './commands/verify'
import { watch } from './commands/watch'

const completion = completionOf(() => groups.flatMap(([, some]) => some))

export const groups: readonly (readonly [title: string, commands: readonly Command[]])[] = [
  ['Begin', [start, init, open, doctor, models, deploy, completion]],
  ['Documents', [ingest, watch, documents, show, chunks, changes, access, language, forget, jobs, cancel, retry, sources, hooks]],
  ['Questions', [ask, conversations, search, compare, filters, classify, labels, probes, questions]],
  ['The graph', [entities, graph, names, receipts]],
  ['A corpus', [status, health, usage, budget, metrics, alerts, audit, keys, reindex, migrate, repartition, deleteCorpus, undelete]],
  ['In and out', [backup, restore, exportCorpus, importFiles, verify]],
]

const nameOf = ({ usage: form }: Command): string => form.split(' ')[0] ?? ''

/** By name, other names included. */
export const commands: ReadonlyMap<string, Command> = new Map(
  groups.flatMap(([, some]) => some.flatMap((one) => [nameOf(one), ...(one.aliases ?? [])].map((name) => [name, one] as const))),
)
