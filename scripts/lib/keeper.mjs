/**
 * Runs a command in this process's own group and ends the whole group when the parent says so or is gone: a runtime whose owner
 * was killed must not keep the port.
 */
import { spawn } from 'node:child_process'

const GRACE = 3_000 // ms between asking and insisting

const child = spawn(process.execPath, process.argv.slice(2), { stdio: ['ignore', 'inherit', 'inherit'] })
let leaving = false

function leave() {
  if (leaving) return
  leaving = true
  process.on('SIGTERM', () => {}) // the group includes this process, which must stay to insist
  process.kill(-process.pid, 'SIGTERM')
  setTimeout(() => process.kill(-process.pid, 'SIGKILL'), GRACE)
}

child.on('exit', (code) => {
  if (!leaving) process.exit(code ?? 1)
  process.kill(-process.pid, 'SIGKILL') // nothing of the group outlives the command
})
process.on('disconnect', leave)
process.on('SIGTERM', leave)
process.on('SIGINT', () => {})
