#!/usr/bin/env node
/** The command `loam`: finds the command, and turns whatever happened into an exit code (0 done, 1 failed, 2 misused, 130 interrupted). */
import { argumentsOf, helpOf } from './arguments.mjs'
import { Failure, failureOf } from './failure.mjs'
import { outputOf } from './output.mjs'

const WHERE = new URL('./commands/', import.meta.url)
const given = process.argv.slice(2)

/** A reader that went away (`loam search … | head`) is no failure. */
process.stdout.on('error', (error) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

async function main() {
  const { command, values, positionals } = argumentsOf(given)
  const out = outputOf({ json: values.json === true, stdout: process.stdout, stderr: process.stderr })
  if (values.version) return out.line((await import('./version.mjs')).version)
  if (values.help || command === undefined) return out.line(helpOf(command))
  const { run } = await import(new URL(`${command}.mjs`, WHERE).href)
  await run({ values, positionals, out, env: process.env, stdin: process.stdin })
}

/** With `--json` the last line of standard error is JSON too. */
function told({ message, code, status, exit }) {
  return given.includes('--json') ? JSON.stringify({ error: { code, message, status, exit } }) : `loam: ${message}`
}

main().catch((error) => {
  const failure = failureOf(error)
  if (!(failure instanceof Failure)) throw error
  process.stderr.write(`${told(failure)}\n`)
  process.exitCode = failure.exit
})
