/** The same as `worker` with a text model (`Control.script([…])` says what it replies) and a reranker. */
import { project } from './test/worker/project.mjs'

export default project(
  'text',
  { include: ['test/worker/**/*.text.test.ts'], exclude: [] },
  { TEXT_MODEL: 'scripted', RERANKER_MODEL: 'scored' },
)
