/**
 * How many lies the check of claims catches without a model, and how many truths it refuses, by kind, language and half of the test set; what a claim costs.
 * `npm run bench support [--failures]`; writes bench/results/support.{json,md}. `--failures` lists what goes wrong on the development half; the held-out half's
 * failures are not looked at, or it is none.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkClaim } from '../../src/core/support/check'
import { halves, isTrue, kinds, type Pair, pairs, tongues } from '../../test/core/support/pairs'

const { values } = parseArgs({
  options: { failures: { type: 'boolean', default: false }, out: { type: 'string', default: join('bench', 'results') } },
})

const began = performance.now()
const judged = pairs().map((pair) => ({ ...pair, verdict: checkClaim(pair.claim, pair.cited) }))
const first = performance.now() - began
const again = performance.now()
for (const { claim, cited } of judged) checkClaim(claim, cited)
const each = (performance.now() - again) / judged.length

type Judged = (typeof judged)[number]
const isRight = (one: Judged): boolean => (one.verdict.outcome === 'supported') === isTrue(one.kind)
const cell = (list: readonly Judged[]): string => `${list.filter(isRight).length}/${list.length}`
const percent = (list: readonly Judged[]): string => `${((100 * list.filter(isRight).length) / list.length).toFixed(1)} %`
const of = (half: Pair['half'], test: (one: Judged) => boolean): Judged[] => judged.filter((one) => one.half === half && test(one))

const titles = { development: 'Development', held_out: 'Held out' } as const
const lines = halves.flatMap((half) => {
  const rows = kinds.map((kind) => {
    const own = of(half, (one) => one.kind === kind)
    return `| ${isTrue(kind) ? 'true' : 'false'}: ${kind} | ${tongues.map((tongue) => cell(own.filter((one) => one.language === tongue))).join(' | ')} | ${percent(own)} |`
  })
  const total = (truth: boolean): string => {
    const own = of(half, (one) => isTrue(one.kind) === truth)
    return `| **${truth ? 'truths kept' : 'lies caught'}** | ${tongues.map((tongue) => percent(own.filter((one) => one.language === tongue))).join(' | ')} | **${percent(own)}** |`
  }
  return [
    `### ${titles[half]}`,
    '',
    '| kind | en | de | fr | es | all |',
    '|---|---|---|---|---|---|',
    ...rows,
    total(true),
    total(false),
    '',
  ]
})
lines.push(
  `A claim beside its passages, both read anew: ${(each * 1000).toFixed(0)} µs; the first time, with every language's tables made: ${first.toFixed(0)} ms for all ${judged.length}.`,
  '',
)

if (values.failures) {
  for (const one of judged.filter((each) => each.half === 'development' && !isRight(each))) {
    const reasons = one.verdict.reasons.map(({ fault, claim, source }) => `${fault}: ${claim}${source ? ` / ${source}` : ''}`)
    lines.push(`${one.language} ${one.kind} · ${one.claim} · ${one.verdict.outcome} ${one.verdict.score.toFixed(2)} ${reasons.join('; ')}`)
  }
}
mkdirSync(values.out, { recursive: true })
const text = `${lines.join('\n')}\n`
writeFileSync(join(values.out, 'support.md'), text)
writeFileSync(
  join(values.out, 'support.json'),
  JSON.stringify(
    judged.map(({ cited: _, elsewhere: __, ...rest }) => rest),
    null,
    1,
  ),
)
process.stdout.write(text)
