/**
 * How well texts are classified when labels arrive in rounds, beside classifiers without a graph.
 * `npm run bench -- classify --data <folder> [--sets ifs_1shot,…] [--max <texts per round>] [--draw 0] [--development] [--ablations]`;
 * writes bench/results/classify.{json,md}. `--draw`: other examples and test texts, where a set has more than are used. `--development`: only the
 * rounds settings are chosen on, with their validation texts. `--ablations`: also streams with other ways to learn.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { dataFolder } from '../quality/corpora'
import { roundSet, type SetName, setNames } from './data'
import { figures } from './quality'
import { report } from './report'
import { vectorsOf } from './run'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    sets: { type: 'string' },
    out: { type: 'string' },
    max: { type: 'string', default: '100000' },
    ablations: { type: 'boolean', default: false },
    draw: { type: 'string', default: '0' },
    development: { type: 'boolean', default: false },
  },
})
const folder = dataFolder(values.data)
const wanted = values.sets?.split(',') ?? [...setNames]
const results = []
for (const name of setNames.filter((one: SetName) => wanted.includes(one))) {
  const set = roundSet(folder, name, { development: values.development, draw: Number(values.draw) })
  const started = performance.now()
  results.push(figures(set, await vectorsOf(set), Number(values.max), values.ablations))
  process.stderr.write(`${name}: ${((performance.now() - started) / 1000).toFixed(0)} s\n`)
}
const out = values.out ?? join('bench', 'results')
mkdirSync(out, { recursive: true })
const text = report(results)
writeFileSync(join(out, 'classify.json'), JSON.stringify(results, null, 1))
writeFileSync(join(out, 'classify.md'), text)
process.stdout.write(text)
