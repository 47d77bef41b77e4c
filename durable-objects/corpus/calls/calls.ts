/** All calls of the object, by subject. */
import type { ConversationObject } from '../../../src/ports/conversations'
import type { CorpusObject } from '../../../src/ports/object'
import type { OutboundObject } from '../../../src/ports/outbound'
import type { ReplicatedObject } from '../../../src/ports/replication'
import type { ReportsObject } from '../../../src/ports/reports'
import type { SeeingObject } from '../../../src/ports/seeing'
import type { CorpusHost } from '../host'
import { conversationsCalls } from './conversations'
import { corpusCalls } from './corpus'
import { documentsCalls } from './documents'
import { jobsCalls } from './jobs'
import { labelsCalls } from './labels'
import { migrationCalls } from './migration'
import { questionsCalls } from './questions'
import { recoveryCalls } from './recovery'
import { repartitionCalls } from './repartition'
import { replicationCalls } from './replication'
import { reportsCalls } from './reports'
import { seeingCalls } from './seeing'
import { sourcesCalls } from './sources'
import { webhooksCalls } from './webhooks'

export function callsOf(
  host: CorpusHost,
): CorpusObject & OutboundObject & SeeingObject & ConversationObject & ReplicatedObject & ReportsObject & ReturnType<typeof recoveryCalls> {
  const corpus = corpusCalls(host)
  return {
    ...corpus,
    ...migrationCalls(host),
    ...repartitionCalls(host, corpus.configure),
    ...recoveryCalls(host),
    ...documentsCalls(host),
    ...jobsCalls(host),
    ...questionsCalls(host),
    ...labelsCalls(host),
    ...webhooksCalls(host),
    ...sourcesCalls(host),
    ...seeingCalls(host),
    ...conversationsCalls(host),
    ...replicationCalls(host),
    ...reportsCalls(host),
  }
}
