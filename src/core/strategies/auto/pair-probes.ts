/**
 * Questions that two passages answer together, made from the corpus itself: pairs that the graph links, through a document whose text says
 * another's name or a rare name that two documents say. The question says a few words of each passage, one after the other, without the linking
 * name, as someone would who has yet to find it. Seeded: the same graph gives the same probes.
 */
import { documentKeys } from '../../builders/document-names'
import { ABOUT, mentionsOf } from '../../builders/mention-list'
import type { GraphReader } from '../../graph/reader'
import type { Chunk, DocumentRecord } from '../../graph/types'
import { type Random, random } from '../../random'
import { keyWords, occurs, wordsOf } from '../../text/occurrences'
import { type PassageAt, type Probe, sampled } from './probes'

export const pairing = {
  count: 120, // probes, at most
  chunks: 480, // searched for a link
  links: 48, // read for one document
  names: 8, // of one chunk, checked for one that few other chunks say
  sharers: 12, // chunks a name may be in to link two of them; in more chunks it is a topic, not a link
  first: { min: 2, max: 4 }, // words of the passage it begins at, beside the name of its document
  second: { min: 2, max: 4 }, // words of the passage the link leads to
  named: 0.75, // chance that the first document's name is said
  seed: 120,
} as const

/** Two passages are to be found: the one the link leads to, from which nothing is taken out, and the one it begins at. */
export interface PairProbe extends Probe {
  readonly first: PassageAt
}

export function pairProbesOf(graph: GraphReader): PairProbe[] {
  const rng = random(`pairs ${pairing.seed}`)
  const probes: PairProbe[] = []
  for (const chunk of rng.shuffle(sampled(graph, rng, pairing.chunks))) {
    if (probes.length >= pairing.count) break
    probes.push(...pairProbe(graph, chunk, rng))
  }
  return probes
}

interface Side {
  readonly chunk: Chunk
  /** Ordinal of the sentence whose words the probe says. */
  readonly unit: number
}

interface Link {
  readonly from: Side
  readonly to: Side
  /** Words of the name that links them. */
  readonly name: readonly string[]
}

function pairProbe(graph: GraphReader, chunk: Chunk, rng: Random): PairProbe[] {
  const document = graph.document(graph.placements(chunk.id)[0]?.document ?? '')
  const link = document && (linkByName(graph, document, chunk, rng) ?? linkByEntity(graph, document, chunk, rng))
  if (!link) return []
  const { from, to, name } = link
  const said = documentKeys(document).length > 0 && rng.next() < pairing.named ? [document.name] : []
  const ahead = wordsFrom(from, name, pairing.first, rng)
  const behind = wordsFrom(to, name, pairing.second, rng)
  if (ahead.length + said.length === 0 || behind.length < pairing.second.min) return []
  const { chunk: led, unit } = to
  const passage = led.units[unit]?.passage ?? 0
  return [{ text: [...said, ...ahead, ...behind].join(' '), chunk: led.id, passage, unit: -1, first: placeOf(from) }]
}

/** A document that any passage of this chunk names. */
function linkByName(graph: GraphReader, document: DocumentRecord, chunk: Chunk, rng: Random): Link | undefined {
  const targets = graph
    .edges('links', document.id, pairing.links)
    .filter((edge) => Array.isArray(edge.data) && edge.data.includes(chunk.id))
    .map((edge) => edge.target)
  const target = graph.document(targets[rng.below(Math.max(1, targets.length))] ?? '')
  if (!target) return undefined
  const names = documentKeys(target).map(keyWords)
  const saying = chunk.units.findIndex(({ start, end }) => names.some((name) => occurs(wordsOf(chunk.text.slice(start, end)), name)))
  const led = graph.chunk(target.chunks[rng.below(target.chunks.length)]?.chunk ?? '')
  if (saying < 0 || !led || led.units.length === 0) return undefined
  return { from: { chunk, unit: saying }, to: { chunk: led, unit: rng.below(led.units.length) }, name: names.flat() }
}

/** A chunk of another document that also says a rare name of this one. */
function linkByEntity(graph: GraphReader, document: DocumentRecord, chunk: Chunk, rng: Random): Link | undefined {
  for (const { entity, key, units } of rng.shuffle(mentionsOf(graph, chunk.id)).slice(0, pairing.names)) {
    const sharers = graph.edgesTo('mentions', entity, pairing.sharers + 1).map((edge) => edge.source)
    if (sharers.length < 2 || sharers.length > pairing.sharers) continue
    const others = sharers.filter((id) => graph.placements(id).every((place) => place.document !== document.id))
    const other = graph.chunk(others[rng.below(Math.max(1, others.length))] ?? '')
    const there = other && mentionsOf(graph, other.id).find((one) => one.entity === entity)
    const unit = units.find((one) => one !== ABOUT && chunk.units[one])
    const led = there?.units.find((one) => one !== ABOUT && other?.units[one])
    if (other && unit !== undefined && led !== undefined)
      return { from: { chunk, unit }, to: { chunk: other, unit: led }, name: keyWords(key) }
  }
  return undefined
}

function placeOf({ chunk, unit }: Side): PassageAt {
  return { chunk: chunk.id, passage: chunk.units[unit]?.passage ?? 0 }
}

/** Words of the sentence in order, except those of the name. */
function wordsFrom(
  { chunk, unit }: Side,
  name: readonly string[],
  { min, max }: typeof pairing.first | typeof pairing.second,
  rng: Random,
): string[] {
  const { start = 0, end = 0 } = chunk.units[unit] ?? {}
  const hidden = new Set(name)
  const words = chunk.text
    .slice(start, end)
    .split(/\s+/)
    .filter((word) => wordsOf(word).every(({ folded }) => !hidden.has(folded)))
  const count = min + rng.below(max - min + 1)
  const from = rng.below(Math.max(1, words.length - count + 1))
  return words.slice(from, from + count)
}
