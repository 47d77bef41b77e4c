/** The process that owns workerd (host.mjs), from its owner's side: started early, told what to run, and reliably ended. */
import { fork } from 'node:child_process'
import { openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

const TAIL = 40 // lines of the log shown when the start fails
const LONGEST = 10_000_000 // bytes of the log that a new run keeps
const GRACE = 5_000 // ms between asking it to end and killing it

export function runtime({ root, state }) {
  const log = state.path('logs', 'runtime.log')
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LONGEST) renameSync(log, `${log}.1`)
  const began = statSync(log, { throwIfNoEntry: false })?.size ?? 0
  const temporary = state.folderFor('tmp') // the runtime's own folder, so that a killed one leaves nothing elsewhere
  const output = openSync(log, 'a')
  const host = fork(join(root, 'scripts/lib/host.mjs'), {
    cwd: root,
    env: { ...process.env, TMPDIR: temporary, NO_COLOR: '1', FORCE_COLOR: '0' },
    execArgv: [], // none of the owner's
    detached: true, // its own process group, which can be ended as a whole
    stdio: ['ignore', output, output, 'ipc'],
  })
  host.on('error', () => {}) // a message was sent to a process that is gone: `ended` reports that
  const ended = new Promise((resolve) => {
    host.once('exit', () => {
      endGroup(host.pid)
      rmSync(temporary, { recursive: true, force: true })
      resolve()
    })
  })
  const tail = () => readFileSync(log).subarray(began).toString('utf8').split('\n').filter(Boolean).slice(-TAIL).join('\n')
  const ask = (kind, what) => asked(host, ended, { kind, ...what })
  const stop = async () => {
    const timer = setTimeout(() => endGroup(host.pid), GRACE)
    if (host.connected) host.send({ kind: 'stop' })
    await ended
    clearTimeout(timer)
  }
  return { pid: host.pid, ask, stop, ended, tail }
}

/** The response to one message of this kind; at most one is in progress. */
function asked(host, ended, message) {
  return new Promise((resolve, reject) => {
    const hear = (said) => {
      if (said.kind !== message.kind) return
      host.off('message', hear)
      if (said.failed === undefined) resolve(said.answer)
      else reject(new Error(said.failed))
    }
    host.on('message', hear)
    ended.then(() => reject(new Error('the local runtime ended')))
    host.send(message)
  })
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // none of its processes is left
  }
}
