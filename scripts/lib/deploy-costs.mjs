/** What a month of the planned deployment costs, as a table: the prices and quantities are those of bench/costs/monthly.ts. */
import { join } from 'node:path'
import { build } from 'esbuild'
import { root } from './setup.mjs'

const MONTH = 30 * 86_400 // seconds
const MINUTES = /^\*\/(\d+) \* \* \* \*$/ // of a schedule

/** @param {readonly Record<string, any>[]} steps of deploy-plan.mjs @returns {Promise<{data: ReturnType<typeof import('../../bench/costs/monthly').months>, text: string}>} */
export async function monthly(steps) {
  const { roles, sampling, crons } = steps.find(({ kind }) => kind === 'worker')
  const { months, PRICED } = await typescript(join(root, 'bench/costs/monthly.ts'))
  const { modelPrices } = await typescript(join(root, 'src/adapters/model-prices.ts'))
  const prices = modelPrices({ MODEL_PRICES: roles.prices })
  const model = (id) => (id ? { id, ...(prices.of(id) ? { price: prices.of(id) } : {}) } : null)
  const models = {
    embedding: { ...model(roles.embedding), dimensions: roles.dimensions },
    text: model(roles.text),
    reranker: model(roles.reranker),
  }
  const runs = crons.reduce((sum, cron) => sum + MONTH / 60 / Number(MINUTES.exec(cron)?.[1] ?? 60), 0)
  const data = months({ models, sampling, runs })
  const head = `What a month costs, including the Workers Paid plan of $5 and its allowances. Model prices as of ${PRICED.models}, platform prices as of ${PRICED.platform}; an estimate, not a bill.`
  const tables = Object.entries(data).map(([name, month]) => table(name, month))
  const notes =
    'A corpus without a text model uses extracts and pays only for embeddings. A jurisdiction costs nothing extra. Neither does AI Gateway, except for the logs it keeps.'
  return { data, text: [head, ...tables, notes].join('\n\n') }
}

function table(name, { assumed, lines, usd }) {
  const rows = lines.map((line) => {
    const beyond = line.usd === 0 ? '' : `$${line.usd.toFixed(2)}`
    return `  ${line.name.padEnd(38)} ${amount(line.amount).padStart(14)}  of ${amount(line.included).padStart(14)} included ${beyond.padStart(8)}`.trimEnd()
  })
  return `${name}: ${assumed}\n${rows.join('\n')}\n  ${'total a month'.padEnd(82)} $${usd.toFixed(2)}`
}

const amount = (n) => n.toLocaleString('en', { maximumFractionDigits: n < 100 ? 2 : 0 })

/** A module without its own packages. */
async function typescript(entry) {
  const built = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'es2023',
    write: false,
    logLevel: 'error',
  })
  return import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].text).toString('base64')}`)
}
