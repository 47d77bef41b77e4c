/**
 * What real models make of the product's prompts, by the product's own flows: which replies can be used, what is in them, what they cost beside the
 * estimate, whether documents can give them orders.
 *   npm run bench -- models [--models qwen2.5-coder-1.5b,…] [--roles extract,…] [--minutes 38] [--quick] [--data <folder>]
 * `--sample`: passages or questions of each role, where it is not the role's own. `--minutes`: of writing, all models together; 0 takes whole samples, however long that is. `--quick`: ten minutes with SmolLM2, start and all;
 * it fails where even that model does better (expectations.ts); where its weights cannot be had it says so and ends well. Replies are kept, and asked for anew only where a prompt has changed (`--fresh`: all); `--kept` measures what is
 * kept and asks nothing. `--together`: replies asked for at once (2); eight are written in half the time where a processor multiplies matrices (AMX).
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { PROMPTS } from '../../src/core/prompt-version'
import { disappointments } from './expectations'
import { passages } from './passages'
import { recorder } from './recorder'
import { type ModelResult, markdown, type RoleResult, type Run } from './report'
import { materials, roles } from './roles'
import { TOGETHER, writerOf } from './sampling'
import { serve, silent, weightsOf } from './serving'
import { timeOf } from './time'

const QUICK = {
  models: 'smollm2-135m',
  minutes: '8.5',
  // What says most first: a slow machine comes to no end of them.
  roles:
    'extract,injected-answer,answer,injected-summarise,injected-extract,summarise,report,describe,classify,judge,extract-units,extract-words',
} as const
/** A larger model writes longer. */
const SHARES: { readonly [model: string]: number } = { 'qwen2.5-coder-1.5b': 6 }

const { values } = parseArgs({
  options: {
    models: { type: 'string' },
    roles: { type: 'string' },
    minutes: { type: 'string' },
    sample: { type: 'string' },
    quick: { type: 'boolean', default: false },
    data: { type: 'string' },
    replies: { type: 'string', default: join('bench', 'results', 'models-replies.jsonl') },
    together: { type: 'string', default: String(TOGETHER) },
    out: { type: 'string' },
    fresh: { type: 'boolean', default: false },
    kept: { type: 'boolean', default: false },
  },
})
const names = (values.models ?? (values.quick ? QUICK.models : 'qwen2.5-coder-1.5b,smollm2-135m,gemma3-270m')).split(',')
const minutes = Number(values.minutes ?? (values.quick ? QUICK.minutes : '38')) || Number.POSITIVE_INFINITY
const out = values.out ?? join('bench', values.quick ? 'results' : 'models/results')
const wanted = (values.roles ?? (values.quick ? QUICK.roles : roles.map(({ name }) => name).join(','))).split(',').map((word) => {
  const role = roles.find(({ name }) => name === word)
  if (!role) throw new Error(`--roles: no role is called ${word}: ${roles.map(({ name }) => name).join(', ')}`)
  return role
})
if (values.fresh) rmSync(values.replies, { force: true })

const together = Number(values.together)
const serving = await (values.kept ? silent() : serve(names, together, console.log)).catch((error: unknown) => {
  if (!values.quick) throw error
  console.log(`Skipped: the weights cannot be had here (${error instanceof Error ? error.message : String(error)}).`)
})
if (serving) {
  try {
    const results: ModelResult[] = []
    const kept = recorder(values.replies, values.kept, serving.processor)
    const material = await materials(passages(values.data ?? process.env.LOAM_DATA))
    const parts = names.reduce((sum, id) => sum + (SHARES[id] ?? 1), 0)
    const weight = wanted.reduce((sum, one) => sum + one.weight, 0)
    const begun = values.quick ? performance.now() / 60_000 : 0 // its ten minutes are of everything
    const time = timeOf(minutes - begun, parts * weight)
    for (const id of names) {
      const found: { [role: string]: RoleResult } = {}
      for (const role of wanted) {
        const share = (SHARES[id] ?? 1) * role.weight
        const writer = writerOf(kept, (json) => serving.models(id, json), time.partOf(share), together)
        const result = await role.measure(material, writer, values.sample ? Number(values.sample) : role.sample)
        time.used(share, result.seconds)
        if (result.sample === 0) {
          console.log(`\n${id} ${role.name}: there was no time for it`)
          continue
        }
        found[role.name] = result
        console.log(`\n${id} ${role.name} ${JSON.stringify(result)}`)
      }
      results.push({ model: id, roles: found })
    }
    const date = new Date().toISOString().slice(0, 10)
    const run: Run = { date, prompts: PROMPTS, weights: weightsOf(names), models: results }
    mkdirSync(out, { recursive: true })
    writeFileSync(join(out, `${date}.json`), `${JSON.stringify(run, null, 2)}\n`)
    console.log(`\n${markdown(run)}`)
    const wrong = values.quick ? results.flatMap(disappointments) : []
    for (const one of wrong) console.error(`Failed: ${one}.`)
    if (wrong.length > 0) process.exitCode = 1
  } finally {
    await serving.stop()
  }
}
