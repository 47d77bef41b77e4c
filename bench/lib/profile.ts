/** A CPU profile of the product's isolate in a local Loam that was started with LOAM_INSPECT=<port>: which functions the time goes to, themselves and with what they call. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { dirname } from 'node:path'

export interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly lineNumber: number; readonly url?: string }
  readonly children?: readonly number[]
}
export interface Profile {
  readonly nodes: readonly ProfileNode[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

const LONGEST_SAMPLE = 3 // ms; what is longer was spent in another isolate, or by another process

export interface Profiler {
  stop(file?: string): Promise<Profile>
}

export async function profiler(port: number, worker = 'loam'): Promise<Profiler> {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as { id: string; webSocketDebuggerUrl: string }[]
  const target = targets.find((one) => one.id.includes(worker)) ?? targets[0]
  if (!target) throw new Error('nothing to inspect')
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = reject
  })
  const replies = new Map<number, (result: unknown) => void>()
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown }
    if (id !== undefined) replies.get(id)?.(result)
  }
  let last = 0
  const call = (method: string, params = {}): Promise<unknown> => {
    const id = ++last
    socket.send(JSON.stringify({ id, method, params }))
    return new Promise((resolve) => replies.set(id, resolve))
  }
  await call('Profiler.enable')
  await call('Profiler.setSamplingInterval', { interval: 1000 })
  await call('Profiler.start')
  return {
    stop: async (file) => {
      const { profile } = (await call('Profiler.stop')) as { profile: Profile }
      socket.close()
      if (file) mkdirSync(dirname(file), { recursive: true })
      if (file) writeFileSync(file, JSON.stringify(profile))
      return profile
    },
  }
}

/** Of this process, while it does that. */
export async function profiled(work: () => void): Promise<Profile> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.start')
  work()
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  return profile as Profile
}

/** The functions with the most time, in ms: by themselves, and with all they call. */
export function heaviest({ nodes, samples, timeDeltas }: Profile, count: number): { readonly self: string[]; readonly total: string[] } {
  const own = new Map<number, number>()
  for (const [i, id] of samples.entries()) own.set(id, (own.get(id) ?? 0) + (timeDeltas[i] ?? 0) / 1000)
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const [self, total] = [new Map<string, number>(), new Map<string, number>()]
  const walk = (node: ProfileNode, above: ReadonlySet<string>): number => {
    const name = `${node.callFrame.functionName || '(anonymous)'}:${node.callFrame.lineNumber + 1}`
    const inside = new Set(above).add(name)
    const mine = own.get(node.id) ?? 0
    const all = (node.children ?? []).reduce((sum, id) => {
      const child = byId.get(id)
      return child ? sum + walk(child, inside) : sum
    }, mine)
    self.set(name, (self.get(name) ?? 0) + mine)
    if (!above.has(name)) total.set(name, (total.get(name) ?? 0) + all)
    return all
  }
  const root = nodes[0]
  if (root) walk(root, new Set())
  const top = (map: ReadonlyMap<string, number>): string[] =>
    [...map]
      .sort((a, b) => b[1] - a[1])
      .slice(0, count)
      .map(([name, ms]) => `${ms.toFixed(0).padStart(7)} ms  ${name}`)
  return { self: top(self), total: top(total) }
}

/** How long each of these functions was at it without a break: how often, together, and the longest, in ms. */
export function longestOf({ nodes, samples, timeDeltas }: Profile, names: readonly string[]): string[] {
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)))
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const inside = new Map<number, ReadonlySet<string>>()
  const namesOf = (id: number): ReadonlySet<string> => {
    const known = inside.get(id)
    if (known) return known
    const [node, parent] = [byId.get(id), parents.get(id)]
    const made = new Set([...(parent ? namesOf(parent.id) : []), (node?.callFrame.functionName ?? '').replace(/\d+$/, '')])
    inside.set(id, made)
    return made
  }
  return names.flatMap((name) => {
    const runs: number[] = []
    let isOn = false
    for (const [i, id] of samples.entries()) {
      const on = namesOf(id).has(name)
      const ms = Math.min((timeDeltas[i] ?? 0) / 1000, LONGEST_SAMPLE)
      if (on && isOn) runs[runs.length - 1] = (runs.at(-1) ?? 0) + ms
      else if (on) runs.push(ms)
      isOn = on
    }
    const sorted = runs.sort((a, b) => b - a)
    const sum = sorted.reduce((a, b) => a + b, 0)
    const first = sorted.slice(0, 8).map((ms) => ms.toFixed(0))
    return sum > 0 ? [`${name}: ${sorted.length} times, ${sum.toFixed(0)} ms; longest ${first.join(', ')}`] : []
  })
}
