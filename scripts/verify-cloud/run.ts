/** `npm run verify:cloud -- <url> <admin key>`: the checks of verify.ts, as a table for people or as JSON. */
import { parseArgs } from 'node:util'
import { type Outcome, type Report, verify } from './verify'

const MARKS = { held: 'held   ', failed: 'FAILED ', skipped: 'skipped' } as const
const CENT = 0.01 // dollars

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean', default: false } } })
const [url, key = process.env.LOAM_KEY] = positionals
if (url === undefined || !URL.canParse(url) || key === undefined) {
  console.error('usage: npm run verify:cloud -- <url> <admin key> [--json]     (or LOAM_KEY in the environment)')
  process.exitCode = 2
} else {
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (interrupted.signal.aborted) process.exit(1)
      console.error('\nInterrupted: removing what was created. Press Ctrl-C again to stop at once.')
      interrupted.abort(new Error('interrupted'))
    })
  const say = values.json ? () => {} : (text: string) => console.log(text)
  say(`Verifying ${url} with a corpus of its own …\n`)
  const report = await verify({ url, key, signal: interrupted.signal, onOutcome: (outcome) => say(lineOf(outcome)) })
  if (values.json) console.log(JSON.stringify(report))
  say(closing(report))
  process.exitCode = report.left.length > 0 || report.outcomes.some(({ state }) => state === 'failed') ? 1 : 0
}

function lineOf({ name, state, note, ms }: Outcome): string {
  return `${MARKS[state]} ${(ms / 1000).toFixed(1).padStart(6)} s  ${name}${note ? `: ${note}` : ''}`
}

function closing({ outcomes, latencies, cost, left, ms }: Report): string {
  const count = (state: Outcome['state']): number => outcomes.filter((one) => one.state === state).length
  const rows = latencies
    .filter(({ calls }) => calls > 1)
    .map(
      ({ request, calls, p50, max }) =>
        `  ${request.padEnd(26)} ${String(calls).padStart(5)} ${String(p50).padStart(8)} ${String(max).padStart(8)}`,
    )
  const [models, written] = [cost.models, cost.rows].map((usd) => `$${usd.toFixed(5)}`)
  return [
    `\n  ${'request'.padEnd(26)} ${'calls'.padStart(5)} ${'p50 ms'.padStart(8)} ${'max ms'.padStart(8)}`,
    ...rows,
    `\nCost: ${models} for models${cost.models > CENT ? ', more than a cent' : ''}; rows written ${written}, if those of the plan are used up.`,
    ...(left.length > 0 ? [`Left behind; remove it yourself: ${left.join(', ')}.`] : []),
    `${count('held')} held, ${count('failed')} failed, ${count('skipped')} skipped, in ${(ms / 1000).toFixed(0)} s.`,
  ].join('\n')
}
