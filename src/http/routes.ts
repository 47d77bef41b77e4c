/** All routes, in the order in which the reference shows them. One file per subject, with declaration and handler side by side. */
import { alertRoutes } from './routes/alerts'
import { auditRoutes } from './routes/audit'
import { backupRoutes } from './routes/backup'
import { batchRoutes } from './routes/batch'
import { changeRoutes } from './routes/changes'
import { chunkRoutes } from './routes/chunks'
import { conversationRoutes } from './routes/conversations'
import { corporaRoutes } from './routes/corpora'
import { decisionRoutes } from './routes/decisions'
import { deletionRoutes } from './routes/deletion'
import { documentFileRoutes } from './routes/document-file'
import { documentRoutes } from './routes/documents'
import { embeddingRoutes } from './routes/embeddings'
import { endpointRoutes } from './routes/endpoints'
import { entityRoutes } from './routes/entities'
import { estimateRoutes } from './routes/estimate'
import { exportRoutes } from './routes/export'
import { filterRoutes } from './routes/filters'
import { graphRoutes } from './routes/graph'
import { hookRoutes } from './routes/hooks'
import { importRoutes } from './routes/import'
import { inboundRoutes } from './routes/inbound'
import { jobRoutes } from './routes/jobs'
import { keyRoutes } from './routes/keys'
import { labelRoutes } from './routes/labels'
import { maintenanceRoutes } from './routes/maintenance'
import { masterKeyRoutes } from './routes/master-key'
import { mcpRoutes } from './routes/mcp'
import { metricsRoutes } from './routes/metrics'
import { migrationRoutes } from './routes/migration'
import { ontologyRoutes } from './routes/ontology'
import { openaiRoutes } from './routes/openai'
import { ownKeyRoutes } from './routes/own-key'
import { probeRoutes } from './routes/probes'
import { queryLogRoutes } from './routes/query-log'
import { questionRoutes } from './routes/questions'
import { receiptRoutes } from './routes/receipts'
import { recoveryRoutes } from './routes/recovery'
import { responseRoutes } from './routes/responses'
import { serviceRoutes } from './routes/service'
import { severalRoutes } from './routes/several'
import { sourceRoutes } from './routes/sources'
import { usageRoutes } from './routes/usage'

export const routes = [
  ...questionRoutes,
  ...severalRoutes,
  ...conversationRoutes,
  ...queryLogRoutes,
  ...filterRoutes,
  ...labelRoutes,
  ...graphRoutes,
  ...exportRoutes,
  ...backupRoutes,
  ...recoveryRoutes,
  ...entityRoutes,
  ...decisionRoutes,
  ...ontologyRoutes,
  ...documentRoutes,
  ...documentFileRoutes,
  ...chunkRoutes,
  ...changeRoutes,
  ...batchRoutes,
  ...estimateRoutes,
  ...importRoutes,
  ...corporaRoutes,
  ...deletionRoutes,
  ...maintenanceRoutes,
  ...migrationRoutes,
  ...jobRoutes,
  ...keyRoutes,
  ...ownKeyRoutes,
  ...hookRoutes,
  ...inboundRoutes,
  ...endpointRoutes,
  ...alertRoutes,
  ...sourceRoutes,
  ...usageRoutes,
  ...receiptRoutes,
  ...auditRoutes,
  ...probeRoutes,
  ...masterKeyRoutes,
  ...openaiRoutes,
  ...responseRoutes,
  ...embeddingRoutes,
  ...mcpRoutes,
  ...metricsRoutes,
  ...serviceRoutes,
] as const

export const operations = routes.map(({ operation }) => operation)
