import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Session } from 'node:inspector'
import { commitNext } from '../../durable-objects/corpus/indexing/commit'
import { commitRound, openTasks } from '../../durable-objects/corpus/indexing/runner'
import { accept } from '../../durable-objects/corpus/ingest/accept'
import type { Vector } from '../../src/core/graph/types'
import { defaultStrategies } from '../../src/core/strategies/registry'
import { quantize } from '../../src/core/vectors'
import { STATIC_DIMENSIONS, theStaticEncoder } from '../lib/encoders'
import { localObject, openSql } from '../lib/object'
import { take, texts } from '../system/texts'
const folder = mkdtempSync(join(tmpdir(), 'loam-q-'))
const source = texts()
const enc = theStaticEncoder()
const embed = (t: readonly string[]): Vector[] => t.map((x) => quantize(enc.encode(x)))
const sql = openSql(join(folder, 'o.db'))
const object = localObject(defaultStrategies, { dimensions: STATIC_DIMENSIONS }, sql)
const doc = (one: any) => ({ metadata: {}, url: null, title: '', ...one })
for (let i = 0; i < 6; i++) object.ingest(take(source, 50).map(doc), embed)
console.log('chunks', object.context.graph.count('chunk'))
const context = { ...object.context, lastQuestion: { at: Date.now() + 1e9 } }
const s = new Session(); s.connect()
const post = (m: string, p = {}) => new Promise<any>((r) => s.post(m as any, p, (_: any, v: any) => r(v)))
const before = new Map([...sql.statements].map(([q, o]) => [q, { ...o }]))
await post('Profiler.enable'); await post('Profiler.start')
const by: Record<string, number[]> = {}
const timed = <T>(name: string, w: () => T): T => { const t = process.cpuUsage(); const r = w(); const u = process.cpuUsage(t); (by[name] ??= []).push((u.user + u.system) / 1000); return r }
for (let b = 0; b < 3; b++) {
  timed('accept', () => accept(context, { kind: 'batch', upserts: take(source, 50).map(doc), deletes: [] }))
  for (;;) {
    const round = timed('lend', () => openTasks(context, 'local', 256))
    if (!round || round.tasks.length === 0) break
    const results: any = round.tasks.map((task) => ({ id: task.id, reply: { node: task.node, input: task.input, kind: 'embed', vectors: embed((task.brief as any).texts) }, spent: { in: 0, out: 0, embedded: 0 }, calls: {} }))
    timed('round', () => commitRound(context, 'local', results))
    while (timed('next', () => commitNext(context))) {}
  }
}
const { profile } = await post('Profiler.stop')
writeFileSync('/tmp/ing/q.cpuprofile', JSON.stringify(profile))
console.log('state', context.graph.state)
for (const [n, l] of Object.entries(by)) { const o = [...l].sort((a, b) => b - a); console.log(n, l.length, 'sum', o.reduce((a, b) => a + b, 0).toFixed(0), 'p50', o[o.length >> 1]!.toFixed(1), 'top', o.slice(0, 8).map((x) => x.toFixed(0)).join(' ')) }
const parts = by.next!.length
let all = 0, runs = 0
const d = [...sql.statements].map(([q, o]) => { const b = before.get(q) ?? { runs: 0, ms: 0 }; all += o.ms - b.ms; runs += o.runs - b.runs; return [q, o.runs - b.runs, o.ms - b.ms] as const }).sort((a, b) => b[2] - a[2])
console.log('sql ms', all.toFixed(0), 'runs a part', (runs / parts).toFixed(0))
for (const [q, r, ms] of d.slice(0, 45)) console.log(ms.toFixed(0), r, q.replace(/\s+/g, ' ').slice(0, 150))
process.exit(0)
