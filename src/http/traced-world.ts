/** The same world, with a span around each of its calls: the corpus's object, the vector index, models, and what reads and writes D1. */
import type { Attributes, Tracer } from '../ports/tracing'
import type { VectorIndex } from '../ports/vector-index'
import { tracedCalls } from '../tracing/traced-calls'
import { tracedModels } from '../tracing/traced-models'
import type { Wired } from './wired'

type InD1 = 'catalogue' | 'keys' | 'deletions' | 'audit' | 'answers' | 'listings' | 'hooks'

/** The first words of what led to a piece of evidence. A path may continue with names from documents, which are left out. */
const CHANNELS: ReadonlySet<string> = new Set([
  'keyword',
  'vector',
  'passage',
  'walk',
  'path',
  'names',
  'entity',
  'summary',
  'layer',
  'overview',
  'skeleton',
])

export function tracedWorld(world: Wired, tracer: Tracer): Wired {
  const attributes = { 'db.system.name': 'cloudflare.d1' }
  const inD1 = <Name extends InD1>(name: Name): Wired[Name] => tracedCalls(tracer, { what: 'd1', name, attributes }, world[name])
  const object = <T extends object>(name: string, one: T): T => tracedCalls(tracer, { what: 'object', name, describe: resultOf }, one)
  const index = (one: VectorIndex): VectorIndex =>
    tracedCalls(tracer, { what: 'vectorize', name: 'index', attributes: { 'db.system.name': 'cloudflare.vectorize' } }, one)
  return {
    ...world,
    catalogue: inD1('catalogue'),
    keys: inD1('keys'),
    deletions: inD1('deletions'),
    audit: inD1('audit'),
    answers: inD1('answers'),
    listings: inD1('listings'),
    hooks: inD1('hooks'),
    corpus: (uid, locationHint, replicas) => object('corpus', world.corpus(uid, locationHint, replicas)),
    outbound: (uid) => object('outbound', world.outbound(uid)),
    seeing: (uid) => object('seeing', world.seeing(uid)),
    conversations: (uid) => object('conversations', world.conversations(uid)),
    keyUsage: (id) => object('key_usage', world.keyUsage(id)),
    index: index(world.index),
    previousIndex: world.previousIndex && index(world.previousIndex),
    models: tracedModels(world.models, tracer, 'text'),
    judge: world.judge && tracedModels(world.judge, tracer, 'judge'),
  }
}

/** What retrieval found, in numbers: how many pieces, by which channels, of which version. */
function resultOf(result: unknown): Attributes {
  if (typeof result !== 'object' || result === null || !('kind' in result)) return {}
  const { kind, version, evidence }: { readonly kind?: unknown; readonly version?: unknown; readonly evidence?: unknown } = result
  const found = Array.isArray(evidence) ? (evidence as readonly { readonly via?: unknown }[]) : undefined
  const channels = new Map<string, number>()
  for (const { via } of found ?? []) {
    const channel = channelIn(via)
    channels.set(channel, (channels.get(channel) ?? 0) + 1)
  }
  return {
    ...(typeof kind === 'string' ? { 'loam.result': kind } : {}),
    ...(typeof version === 'number' ? { 'loam.version': version } : {}),
    ...(found ? { 'loam.evidence': found.length } : {}),
    ...Object.fromEntries([...channels].map(([channel, n]) => [`loam.channel.${channel}`, n])),
  }
}

function channelIn(via: unknown): string {
  const word = typeof via === 'string' ? (/^[a-z]+/.exec(via)?.[0] ?? '') : ''
  return CHANNELS.has(word) ? word : 'other'
}
