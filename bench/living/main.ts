/**
 * What a living corpus costs and how quick it is. Prints; asserts nothing.
 *   npm run bench living -- delete [--documents 1000] [--deleted 50]   model calls of deleting one document
 *   npm run bench living -- webhook [--events 200]                     webhook → 202, webhook → findable, in local workerd
 *   npm run bench living -- promote [--passages 10000] [--strategies …] [--data <folder>] a graph derived anew takes over, in local workerd
 *   npm run bench living -- derive [--passages 10000] [--strategies …] [--data <folder>] [--probes 12] [--rebuild]
 *                                                                      the same in the object alone, turn by turn
 */
import { parseArgs } from 'node:util'
import { deletedReport } from './deleting'
import { derivedReport } from './deriving'
import { promotedReport } from './promoting'
import { webhookReport } from './webhook'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    documents: { type: 'string', default: '1000' },
    deleted: { type: 'string', default: '50' },
    events: { type: 'string', default: '200' },
    passages: { type: 'string', default: '10000' },
    strategies: { type: 'string', default: 'erarag,cluerag,ketrag,archrag' },
    data: { type: 'string' },
    dimensions: { type: 'string', default: '512' },
    probes: { type: 'string', default: '0' },
    rebuild: { type: 'boolean', default: false },
  },
})
const asked = positionals.length > 0 ? positionals : ['delete', 'webhook']
if (asked.includes('delete')) console.log(await deletedReport(Number(values.documents), Number(values.deleted)))
if (asked.includes('webhook')) console.log(await webhookReport(Number(values.events)))
if (asked.includes('promote')) console.log(await promotedReport(Number(values.passages), values.strategies.split(','), values.data))
if (asked.includes('derive')) {
  const { data, rebuild } = values
  const [passages, dimensions, probes] = [Number(values.passages), Number(values.dimensions), Number(values.probes)]
  const options = { passages, dimensions, probes, rebuild, strategies: values.strategies.split(',') }
  console.log(await derivedReport({ ...options, ...(data === undefined ? {} : { data }) }))
}
