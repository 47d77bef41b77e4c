/**
 * Keeps the weights of `auto` honest: when the corpus has changed by a fifth, or the embedding model has changed, probes are made from the corpus
 * and embedded, and the channels are measured on them. No text model, no labels. Before the first measurement, and under 64 passages, a safe guess
 * serves; later the last measured weights serve until there are new ones. Probes are put a few at a time, each few as one task in the background,
 * so that measuring goes on between incoming documents and none of its commits is long: all 240 at once took twenty seconds at 10,000 passages.
 */
import type { GraphReader } from '../../graph/reader'
import { fingerprint, passageId } from '../../ids'
import { random } from '../../random'
import type { Builder, Reply, Update } from '../../strategy'
import { terms } from '../../text/terms'
import { probeRanks, type Ranks, weightsFrom } from './measure'
import type { EmbeddedProbe } from './probe-channels'
import { neighbouring, type Probe, packedProbes, probesOf, probing, restOf } from './probes'
import { type ByName, CALIBRATION, type Calibration, calibrationJson, calibrationOf, SPACE, type Weights } from './weights'

export const limits = {
  passages: 64, // with fewer, 240 probes would repeat themselves and could not tell the channels apart
  drift: 0.2, // share of passages that may come or go before the channels are measured again
  growth: 3, // times as many may come first while documents come in: measuring at each fifth took a third of the time that indexing them took
  beside: 1024, // passages beyond which measuring waits until no job is open: beside jobs, up to 4,096 passages, it took a quarter of the time that 1,300 chunks took
  few: 3, // probes put in one commit: they take a seventh of a second at 10,000 passages
  pool: 1000, // chunks whose passages the vector channel competes with: comparing more costs seconds and moves recall@5 little
} as const
const PROBES = 'probes'
const NODE = 'calibration' // of the only task; there is never a second at a time

/** How far measuring has got. */
interface Measuring {
  readonly probes: readonly Probe[]
  /** Probes already put. */
  readonly at: number
  readonly ranks: readonly Ranks[]
  /** Has any probe had a vector? */
  readonly vectors: boolean
  /** Passages in the corpus when it began: later ones are not in the probes. */
  readonly passages: number
}

export const calibration: Builder = {
  name: 'calibration',
  builds: [],
  update(graph, { replies, removed }, settings) {
    const reply = replies.find((one) => one.node === NODE)
    const measuring = reply || removed.length > 0 ? measuringIn(graph) : undefined
    if (!measuring) return { patch: [], tasks: [] }
    if (removed.length > 0) {
      const probes = measuring.probes.filter((probe) => isHeld(graph, probe))
      if (probes.length < measuring.probes.length) {
        return restartWith({ ...measuring, probes, at: 0, ranks: [], passages: graph.count('passage') }, settings.models)
      }
    }
    if (!reply) return { patch: [], tasks: [] }
    const further = measureNext(graph, measuring, reply)
    if (!('named' in further)) return continueMeasuring(further, settings.models)
    const value: Calibration = {
      ...further,
      passages: measuring.passages,
      models: settings.models,
      probes: measuring.probes.length,
    }
    return {
      patch: [
        { op: 'put-value', space: SPACE, key: CALIBRATION, value: calibrationJson(value) },
        { op: 'drop-value', space: SPACE, key: PROBES },
      ],
      tasks: [],
    }
  },
  brief(graph) {
    const measuring = measuringIn(graph)
    return measuring && { kind: 'embed', texts: nextProbes(measuring).flatMap((probe) => [probe.text, restText(graph, probe)]) }
  },
  isDue(graph, settings, isBusy) {
    if (isBusy && isLarge(graph)) return false
    return isDue(graph, settings.models, isBusy ? limits.growth : limits.drift) && measuringIn(graph) === undefined
  },
  isPostponed: isLarge,
  /** When asked for, it is done if anything has changed: then the weights fit the documents that are there, however they came. */
  consolidate(graph, settings) {
    return isDue(graph, settings.models, 0) ? startMeasuring(graph, settings.models) : { patch: [], tasks: [] }
  },
}

function isLarge(graph: GraphReader): boolean {
  return graph.count('passage') > limits.beside
}

/** Are the channels' weights being measured, or about to be? Until they are, a guess serves, or the last measurement (weights.ts). */
export function isTuning(graph: GraphReader, models: string): boolean {
  return isDue(graph, models) || measuringIn(graph) !== undefined
}

function isDue(graph: GraphReader, models: string, drift: number = limits.drift): boolean {
  const passages = graph.count('passage')
  if (passages < limits.passages) return false
  const last = calibrationOf(graph)
  return !last || last.models !== models || Math.abs(passages - last.passages) > drift * last.passages
}

function startMeasuring(graph: GraphReader, models: string): Update {
  return continueMeasuring({ probes: probesOf(graph), at: 0, ranks: [], vectors: false, passages: graph.count('passage') }, models)
}

/** Asks for the vectors of the next few probes. */
function continueMeasuring(measuring: Measuring, models: string): Update {
  const { probes, at, ranks, vectors, passages } = measuring
  const few = nextProbes(measuring).flatMap((probe) => [probe.chunk, probe.passage, probe.text])
  const input = fingerprint('calibration', models, probing.seed, at, ...few)
  return {
    patch: [{ op: 'put-value', space: SPACE, key: PROBES, value: { probes: packedProbes(probes), at, ranks, vectors, passages } }],
    tasks: [{ builder: 'calibration', kind: 'embed', node: NODE, input, urgent: false, background: true }],
  }
}

/** Does the corpus still hold the probe's passage (for a pair, both), and each of its words, some of which come from other passages? */
export function isHeld(graph: GraphReader, { chunk, text, first }: Probe): boolean {
  const chunks = [chunk, ...(first ? [first.chunk] : [])]
  return chunks.every((id) => graph.chunk(id) !== undefined) && graph.frequency(terms(text)).every((passages) => passages > 0)
}

/** A probe is a copy of a text, and goes with it: the measurement in progress starts again without it. */
function restartWith(measuring: Measuring, models: string): Update {
  if (measuring.probes.length > 0) return continueMeasuring(measuring, models)
  return { patch: [{ op: 'drop-value', space: SPACE, key: PROBES }], tasks: [] }
}

const nextProbes = ({ probes, at }: Measuring): readonly Probe[] => probes.slice(at, at + limits.few)

/** How far measuring has got with the next few probes; after the last ones, the weights. */
function measureNext(graph: GraphReader, measuring: Measuring, reply: Reply): Measuring | ByName<Weights> {
  const few = embedProbes(graph, nextProbes(measuring), reply)
  const ranks = [...measuring.ranks, ...probeRanks(graph, few, poolOf(graph))]
  const vectors = measuring.vectors || few.some((one) => one.question)
  const at = measuring.at + limits.few
  return at < measuring.probes.length ? { ...measuring, at, ranks, vectors } : weightsFrom(ranks, vectors)
}

/** The text as passages are embedded: with the title in front. */
export function restText(graph: GraphReader, probe: Probe): string {
  const chunk = graph.chunk(probe.chunk)
  return chunk ? `${chunk.title ? `${chunk.title}\n` : ''}${restOf(chunk, probe)}` : ''
}

/** Without vectors (the model is down, a passage has none) the graph's channels are measured anyway. */
export function embedProbes(graph: GraphReader, probes: readonly Probe[], reply: Reply): EmbeddedProbe[] {
  const vectors = reply.kind === 'embed' ? reply.vectors : []
  return probes.map((probe, i) => {
    const question = vectors[2 * i]
    const rest = vectors[2 * i + 1]
    return question && rest && graph.vector(passageId(probe.chunk, probe.passage)) ? { probe, question, rest } : { probe }
  })
}

export function poolOf(graph: GraphReader): string[] {
  const rng = random(`pool ${probing.seed}`)
  return neighbouring(graph, rng, limits.pool).flatMap((chunk) => chunk.passages.map((passage) => passage.id))
}

/** Assumed to be what `continueMeasuring` wrote; a value in another form, from an earlier release, is ignored, and measuring starts again. */
function measuringIn(graph: GraphReader): Measuring | undefined {
  const value = graph.value(SPACE, PROBES)
  const measuring = value && typeof value === 'object' && 'passages' in value ? (value as unknown as Measuring) : undefined
  return measuring && measuring.probes.length > 0 ? measuring : undefined
}
