/**
 * Keeps the weights of `auto` honest: when the corpus has changed by a fifth or the embedding model has, probes are made from the corpus,
 * embedded by one task, and the channels measured on them. No text model, no labels. Before that, and under 64 passages, a safe guess serves.
 */
import type { GraphReader } from '../../graph/reader'
import type { Value } from '../../graph/types'
import { fingerprint, passageId } from '../../ids'
import { random } from '../../random'
import type { Builder, Reply, Update } from '../../strategy'
import { measure, type Vectored } from './measure'
import { type Probe, packedProbes, probesOf, probing, restOf, sampled } from './probes'
import { CALIBRATION, type Calibration, calibrationOf, SPACE } from './weights'

const limits = {
  passages: 64, // fewer cannot be told apart by 240 probes that would repeat themselves
  drift: 0.2, // share of passages that may come or go before the measurement is made again
  pool: 1000, // chunks whose passages the vector channel competes with: comparing more costs seconds and moves recall@5 little
} as const
const PROBES = 'probes'
const NODE = 'calibration' // of the one task; there is never a second

export const calibration: Builder = {
  name: 'calibration',
  builds: [],
  update(graph, { replies }, settings) {
    const reply = replies.find((one) => one.node === NODE)
    const probes = reply ? probesIn(graph.value(SPACE, PROBES)) : []
    if (!reply || probes.length === 0) return { patch: [], tasks: [] }
    const passages = graph.count('passage')
    const weights = measure(graph, vectored(graph, probes, reply), poolOf(graph))
    const value: Calibration = { ...weights, passages, models: settings.models, probes: probes.length }
    return {
      patch: [
        { op: 'put-value', space: SPACE, key: CALIBRATION, value: { ...value } },
        { op: 'drop-value', space: SPACE, key: PROBES },
      ],
      tasks: [],
    }
  },
  brief(graph) {
    const probes = probesIn(graph.value(SPACE, PROBES))
    return probes.length > 0 ? { kind: 'embed', texts: probes.flatMap((probe) => [probe.text, restText(graph, probe)]) } : undefined
  },
  consolidate(graph, settings) {
    return due(graph, settings.models) ? asked(graph, settings.models) : { patch: [], tasks: [] }
  },
}

function due(graph: GraphReader, models: string): boolean {
  const passages = graph.count('passage')
  const last = calibrationOf(graph)
  if (passages < limits.passages) return false
  return !last || last.models !== models || Math.abs(passages - last.passages) > limits.drift * last.passages
}

function asked(graph: GraphReader, models: string): Update {
  const probes = probesOf(graph)
  const input = fingerprint('calibration', models, probing.seed, ...probes.flatMap((probe) => [probe.chunk, probe.passage, probe.text]))
  return {
    patch: [{ op: 'put-value', space: SPACE, key: PROBES, value: packedProbes(probes) }],
    tasks: [{ builder: 'calibration', kind: 'embed', node: NODE, input, urgent: false }],
  }
}

/** As passages are embedded: with the title in front. */
function restText(graph: GraphReader, probe: Probe): string {
  const chunk = graph.chunk(probe.chunk)
  return chunk ? `${chunk.title ? `${chunk.title}\n` : ''}${restOf(chunk, probe)}` : ''
}

/** Without vectors (the model is down, a passage has none) the graph's channels are measured all the same. */
function vectored(graph: GraphReader, probes: readonly Probe[], reply: Reply): Vectored[] {
  const vectors = reply.kind === 'embed' ? reply.vectors : []
  return probes.map((probe, i) => {
    const question = vectors[2 * i]
    const rest = vectors[2 * i + 1]
    return question && rest && graph.vector(passageId(probe.chunk, probe.passage)) ? { probe, question, rest } : { probe }
  })
}

function poolOf(graph: GraphReader): string[] {
  const rng = random(`pool ${probing.seed}`)
  return sampled(graph, rng, limits.pool).flatMap((chunk) => chunk.passages.map((passage) => passage.id))
}

/** Believed to be what `packedProbes` made. */
function probesIn(value: Value | undefined): readonly Probe[] {
  return (value ?? []) as unknown as readonly Probe[]
}
