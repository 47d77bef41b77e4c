/**
 * What a newcomer waits for, through the server of `npm start` with the encoder that comes with Loam.
 *   npm run bench first-minute -- files [--strategies none|erarag,…] [--bytes 10000000] [--profile <port>]   72 mixed files until they are settled
 */
import { parseArgs } from 'node:util'
import { ingestFiles } from './ingest'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { strategies: { type: 'string' }, bytes: { type: 'string' }, profile: { type: 'string' } },
})
const strategies = values.strategies === 'none' ? [] : values.strategies?.split(',')

for (const what of positionals.length > 0 ? positionals : ['files']) {
  if (what === 'files') {
    const [bytes, profile] = [values.bytes, values.profile].map((one) => (one ? Number(one) : undefined))
    await ingestFiles({ ...(strategies ? { strategies } : {}), ...(bytes ? { bytes } : {}), ...(profile ? { profile } : {}) })
  } else throw new Error(`no such part: ${what}`)
}
process.exit(0)
