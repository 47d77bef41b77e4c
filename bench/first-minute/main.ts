/**
 * What a newcomer waits for, through the server of `npm start` with the encoder that comes with Loam.
 *   npm run bench first-minute -- files [--strategies none|erarag,…] [--bytes 10000000] [--chunk 1200] [--timeline] [--profile <port>]   72 mixed files until they are settled
 *   npm run bench first-minute -- object [--strategies …] [--bytes …] [--statements]   the same files through the object in Node: processor time by part
 *   npm run bench first-minute -- divisions [--strategies …] [--bytes …] [--only 0,4]   the same files by several divisions and orders: which tables differ
 *   npm run bench first-minute -- questions [--strategies …] [--documents 1000] [--minutes 6] [--profile <port>]   how long they take while so many documents go in
 *   npm run bench first-minute -- steps [--documents 800]                          the same without the platform: processor time of each transaction and question
 *   npm run bench first-minute -- tuning --data <folder> [--sets a,b] [--bare]    `auto` at once, after 10 s and after 200 s
 *   npm run bench first-minute -- start                                           from a clone to the first healthy answer
 */
import { parseArgs } from 'node:util'
import { dataFolder } from '../quality/corpora'
import { compareDivisions } from './divisions'
import { ingestFiles } from './ingest'
import { ingestInNode } from './object'
import { askWhileIndexing } from './questions'
import { fromClone } from './start'
import { timeSteps } from './steps'
import { askWhileTuning } from './tuning'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    strategies: { type: 'string' },
    bytes: { type: 'string' },
    chunk: { type: 'string' },
    documents: { type: 'string' },
    minutes: { type: 'string' },
    profile: { type: 'string' },
    timeline: { type: 'boolean', default: false },
    data: { type: 'string' },
    sets: { type: 'string', default: 'hotpotqa_train100' },
    bare: { type: 'boolean', default: false },
    statements: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
const strategies = values.strategies === 'none' ? [] : values.strategies?.split(',')
const [bytes, profile, documents, minutes] = [values.bytes, values.profile, values.documents, values.minutes].map((one) =>
  one ? Number(one) : undefined,
)

for (const what of positionals.length > 0 ? positionals : ['files', 'questions', 'start']) {
  if (what === 'files')
    await ingestFiles({
      ...(strategies ? { strategies } : {}),
      ...(bytes ? { bytes } : {}),
      ...(values.chunk ? { chunk: Number(values.chunk) } : {}),
      ...(profile ? { profile } : {}),
      timeline: values.timeline,
    })
  else if (what === 'object')
    await ingestInNode({ ...(strategies ? { strategies } : {}), ...(bytes ? { bytes } : {}), statements: values.statements })
  else if (what === 'divisions')
    await compareDivisions({
      ...(strategies ? { strategies } : {}),
      ...(bytes ? { bytes } : {}),
      ...(values.only ? { only: values.only.split(',').map(Number) } : {}),
    })
  else if (what === 'steps') await timeSteps(documents ? { documents } : {})
  else if (what === 'questions')
    await askWhileIndexing({
      ...(strategies ? { strategies } : {}),
      ...(documents ? { documents } : {}),
      ...(minutes ? { minutes } : {}),
      ...(profile ? { profile } : {}),
    })
  else if (what === 'tuning') for (const set of values.sets.split(',')) await askWhileTuning(dataFolder(values.data), set, !values.bare)
  else if (what === 'start') await fromClone()
  else throw new Error(`no such part: ${what}`)
}
process.exit(0)
