/** Tests inside workerd, without a text model, as `npm start` runs. Files named `*.text.test.ts` belong to the project `text`. */
import { project } from './test/worker/project.mjs'

export default project('worker', { include: ['test/worker/**/*.test.ts'], exclude: ['**/*.text.test.ts'] })
