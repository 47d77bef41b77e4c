/** The same as `worker` with a text model: `Control.script([…])` says what it replies. Files are named `*.text.test.ts`. */
import { project } from './vitest.worker.config'

export default project('text', { include: ['test/worker/**/*.text.test.ts'], exclude: [] }, { TEXT_MODEL: 'scripted' })
