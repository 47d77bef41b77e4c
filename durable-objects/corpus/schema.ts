/**
 * The corpus's tables: what was accepted, what is still to be done, what it cost and what the sinks have been sent. The graph's own tables
 * are in `../graph`. Every change to a table's shape is a new numbered step; steps run once, in order, when the object wakes.
 */
import { HOLDS } from '../holds'
import type { Sql } from '../sql'
import { CREATE_AUDIT } from './tables/audit'
import { CREATE_AWAITED } from './tables/awaited'
import { CREATE_BROUGHT } from './tables/brought'
import { ADD_CACHE_PROMPTS, CREATE_CACHE, INDEX_PROMPTS_BY_BUILDER } from './tables/cache'
import { CREATE_CONVERSATION } from './tables/conversation'
import { CREATE_DATED, INDEX_DATED_BORDERS } from './tables/dated'
import { CREATE_DELIVERY, INDEX_CLOSED_DELIVERIES } from './tables/delivery'
import { CREATE_DIFFERING } from './tables/differing'
import { ADD_EARLIER_VERSIONS, CREATE_EARLIER } from './tables/earlier'
import { ADD_ENDPOINT_ASKER, CREATE_ENDPOINT } from './tables/endpoint'
import { CREATE_EVENT } from './tables/event'
import { CREATE_FACET } from './tables/facet'
import { CREATE_FED } from './tables/fed'
import { CREATE_FILE } from './tables/file'
import { CREATE_FORMER } from './tables/former'
import { ADD_JOB_KEY, CREATE_JOB } from './tables/job'
import { CREATE_KEPT_ANSWER } from './tables/kept-answer'
import { CREATE_LATE } from './tables/late'
import { CREATE_META, metaKeys, NOTE_UNNAMED_VECTORS, NOTE_WITHDRAWN_FROM, readMeta, writeMeta } from './tables/meta'
import { CREATE_MOVING } from './tables/moving'
import { CREATE_OUTBOX } from './tables/outbox'
import { CREATE_OUTLINE } from './tables/outline'
import { ADD_PROBE_MOVED, ADD_PROBE_WEIGHED, CREATE_PROBE } from './tables/probe'
import { CREATE_QUARANTINE } from './tables/quarantine'
import { CREATE_QUESTION_LOG } from './tables/question-log'
import { CREATE_RECEIPT } from './tables/receipt'
import { CREATE_REPLICA } from './tables/replica'
import { CREATE_REPORT } from './tables/report'
import {
  ADD_REVISION_ACCEPTED,
  ADD_REVISION_ACCESS,
  ADD_REVISION_ACTIVE,
  ADD_REVISION_DATES,
  ADD_REVISION_LANGUAGE,
  ADD_REVISION_SOURCE,
  CREATE_REVISION,
  INDEX_REVISION_ERROR,
} from './tables/revision'
import { CREATE_RULING } from './tables/ruling'
import { CREATE_SAVED_FILTER } from './tables/saved-filter'
import { CREATE_SENT } from './tables/sent'
import { ADD_SOURCE_ACCESS, ADD_SOURCE_LISTING, ADD_SOURCE_SECRETS, CREATE_SOURCE } from './tables/source'
import { CREATE_SOURCE_ITEM } from './tables/source-item'
import { CREATE_SPENDING, CREATE_SPENDING_TOTAL } from './tables/spending'
import { CREATE_SPENDING_DAY } from './tables/spending-day'
import { CREATE_SPOKEN } from './tables/spoken'
import { CREATE_STAGED } from './tables/staged'
import { ADD_TASK_TEXTS, CREATE_TASK, INDEX_TASKS_APART } from './tables/task'
import { CREATE_TOP } from './tables/top'
import { CREATE_TOUCHED } from './tables/touched'
import { CREATE_UNWRITTEN } from './tables/unwritten'
import { CREATE_VECTORLESS } from './tables/vectorless'
import { CREATE_WITHDRAWN } from './tables/withdrawn'

const STEPS: readonly string[] = [
  `
  ${CREATE_REVISION}
  ${CREATE_AWAITED}
  ${CREATE_STAGED}
  ${CREATE_JOB}
  ${CREATE_TASK}
  ${CREATE_TOUCHED}
  ${CREATE_OUTBOX}
  ${CREATE_SENT}
  ${CREATE_CACHE}
  ${CREATE_FACET}
  `,
  CREATE_EVENT,
  CREATE_SPENDING,
  CREATE_RECEIPT,
  `${CREATE_ENDPOINT} ${CREATE_DELIVERY} ${CREATE_SOURCE}`,
  CREATE_QUARANTINE,
  `${CREATE_PROBE} ${CREATE_FED} ${INDEX_REVISION_ERROR}`,
  CREATE_SPENDING_TOTAL,
  CREATE_UNWRITTEN,
  ADD_PROBE_WEIGHED,
  NOTE_UNNAMED_VECTORS,
  INDEX_CLOSED_DELIVERIES,
  CREATE_LATE,
  CREATE_DIFFERING,
  HOLDS,
  ADD_TASK_TEXTS,
  // Labels: JSON lists.
  `
  ${ADD_REVISION_ACCESS}
  ${ADD_ENDPOINT_ASKER}
  ${ADD_SOURCE_ACCESS}
  `,
  CREATE_AUDIT,
  ADD_REVISION_ACTIVE,
  CREATE_OUTLINE,
  INDEX_TASKS_APART,
  `${ADD_REVISION_DATES} ${CREATE_DATED}`,
  ADD_CACHE_PROMPTS,
  `${CREATE_FORMER} ${ADD_PROBE_MOVED}`,
  CREATE_VECTORLESS,
  `${ADD_SOURCE_LISTING} ${CREATE_SOURCE_ITEM}`,
  CREATE_SAVED_FILTER,
  CREATE_WITHDRAWN,
  NOTE_WITHDRAWN_FROM,
  ADD_SOURCE_SECRETS,
  `${ADD_REVISION_LANGUAGE} ${CREATE_SPOKEN}`,
  `${ADD_JOB_KEY}; ${CREATE_SPENDING_DAY} ${CREATE_QUESTION_LOG}`,
  CREATE_KEPT_ANSWER,
  CREATE_CONVERSATION,
  INDEX_PROMPTS_BY_BUILDER,
  CREATE_EARLIER,
  CREATE_REPLICA,
  ADD_EARLIER_VERSIONS,
  ADD_REVISION_SOURCE,
  INDEX_DATED_BORDERS,
  CREATE_BROUGHT,
  ADD_REVISION_ACCEPTED,
  CREATE_FILE,
  CREATE_REPORT,
  CREATE_RULING,
  CREATE_TOP,
  CREATE_MOVING,
]

export function migrate(sql: Sql): void {
  sql.run(CREATE_META)
  const done = readMeta(sql, metaKeys.schemaSteps) ?? 0
  for (const step of STEPS.slice(done)) sql.run(step)
  if (done < STEPS.length) writeMeta(sql, metaKeys.schemaSteps, STEPS.length)
}
