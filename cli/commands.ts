/** The commands, in the order of the help. */
import type { Command } from './command'
import { access } from './commands/access'
import { ask } from './commands/ask'
import { audit } from './commands/audit'
import { classify } from './commands/classify'
import { deleteCorpus } from './commands/delete'
import { deploy } from './commands/deploy'
import { dev } from './commands/dev'
import { documents } from './commands/documents'
import { exportCorpus } from './commands/export'
import { forget } from './commands/forget'
import { health } from './commands/health'
import { importFiles } from './commands/import'
import { ingest } from './commands/ingest'
import { init } from './commands/init'
import { keys } from './commands/keys'
import { names } from './commands/names'
import { probes } from './commands/probes'
import { receipts } from './commands/receipts'
import { search } from './commands/search'
import { status } from './commands/status'
import { undelete } from './commands/undelete'
import { verify } from './commands/verify'

export const commands: ReadonlyMap<string, Command> = new Map(
  [
    init,
    dev,
    deploy,
    ingest,
    ask,
    search,
    classify,
    exportCorpus,
    importFiles,
    verify,
    receipts,
    forget,
    access,
    documents,
    deleteCorpus,
    undelete,
    probes,
    names,
    audit,
    status,
    health,
    keys,
  ].map((one) => [one.usage.split(' ')[0] ?? '', one]),
)
