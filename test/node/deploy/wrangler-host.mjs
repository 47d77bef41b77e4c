/**
 * Runs wrangler again and again in one process: its program, compiled once, started anew for every command. A process of its own for each
 * would read 17 MB of JavaScript a hundred times. A command has ended when nothing is left to wait for, as in a process of its own.
 */
import { readFileSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import { dirname } from 'node:path'
import { constants, Script } from 'node:vm'

const file = createRequire(import.meta.url).resolve('wrangler')
const load = createRequire(file)
const program = new Script(Module.wrap(readFileSync(file, 'utf8')), {
  filename: file,
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
})
const left = Symbol('process.exit') // thrown, so that the command goes no further
let answer = () => {}
const [channel, reply] = [process.channel, process.send.bind(process)]
for (const name of ['send', 'disconnect']) process[name] = undefined // wrangler would tell its parent, and leave

process.exit = (code) => {
  process.exitCode = code ?? process.exitCode ?? 0
  throw left
}
const FAULTS = ['unhandledRejection', 'uncaughtException']
for (const event of FAULTS)
  process.on(event, (reason) => {
    if (reason === left) return
    process.exitCode = 1
    process.stderr.write(`${reason?.stack ?? reason}\n`)
  })
process.on('beforeExit', () => answer())
// Faults are told here alone: wrangler's own listener, for reports that are not sent, would look each place up in 17 MB of source.
const on = process.on.bind(process)
process.on = (event, listener) => (FAULTS.includes(event) ? process : on(event, listener))

const own = new Set(process.eventNames().flatMap((event) => process.rawListeners(event)))
/** What a command listens to ends with it: else it would speak again in the next one, and never be collected. */
function forget() {
  for (const event of process.eventNames())
    for (const listener of process.rawListeners(event)) if (!own.has(listener)) process.removeListener(event, listener)
}

const run = ({ args, cwd, env }) => {
  channel.unref()
  const said = { out: '', all: '' }
  const [out, err] = [process.stdout.write, process.stderr.write]
  process.stdout.write = (text) => {
    said.out += text
    said.all += text
    return true
  }
  process.stderr.write = (text) => {
    said.all += text
    return true
  }
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
  process.chdir(cwd)
  process.argv = [process.argv[0], file, ...args]
  process.exitCode = undefined
  answer = () => {
    answer = () => {}
    process.stdout.write = out
    process.stderr.write = err
    channel.ref()
    forget()
    reply({ code: Number(process.exitCode ?? 0), ...said, ms: 0 })
  }
  const module = { exports: {}, filename: file, id: '.', children: [], paths: [] }
  const require = Object.assign((id) => load(id), load, { main: module })
  try {
    program.runInThisContext()(module.exports, require, module, file, dirname(file))
  } catch (reason) {
    if (reason !== left) throw reason
  }
}
process.on('message', run)
own.add(run)
