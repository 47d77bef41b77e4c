#!/usr/bin/env node
/** The command `loam`: finds the command, and turns whatever happened into an exit code (0 done, 1 failed, 2 misused, 130 interrupted). */
import { parseArguments } from './arguments'
import { defectOf, type Failure, toFailure } from './failure'
import { formatHelp } from './help'
import { clip, createOutput, safe } from './output'
import { version } from './version'

const MAX_SAID = 2000 // characters of a message: what was typed may be long, and repeating it is useless
const given = process.argv.slice(2)

/** A reader that has gone away (`loam search … | head`) is not a failure. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  report(error)
  process.exit() // the remaining output has nowhere to go
})

async function main(): Promise<void> {
  const { command, values, positionals } = parseArguments(given)
  const out = createOutput({ json: values.json === true, stdout: process.stdout, stderr: process.stderr })
  if (values.version) return out.line(version)
  if (values.help || command === undefined) return out.line(formatHelp(command, out.isForPeople ? out.columns : undefined))
  await command.run({ values, positionals, out, env: process.env, stdin: process.stdin })
}

/** With `--json` the last line of standard error is JSON too. */
function formatFailure({ message, code, status, exit }: Failure): string {
  return given.includes('--json') ? JSON.stringify({ error: { code, message, status, exit } }) : safe(`loam: ${clip(message, MAX_SAID)}`)
}

function report(error: unknown): void {
  const failure = toFailure(error) ?? defectOf(error)
  if (failure.code === 'defect' && process.env.LOAM_DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  process.stderr.write(`${formatFailure(failure)}\n`)
  process.exitCode = failure.exit
}

main().catch(report)
