/** A small corpus of labels for the tests of GORAG, and vectors that depend on words alone. */
import { MemoryGraph } from '../../../src/core/graph/memory'
import type { Vector } from '../../../src/core/graph/types'
import { classify, dropLabel, learn, putLabel, unlearn } from '../../../src/core/strategies/gorag/gorag'
import { descriptionText } from '../../../src/core/strategies/gorag/label-name'
import { type GoragSettings, goragDefaults } from '../../../src/core/strategies/gorag/settings'
import { terms } from '../../../src/core/text/terms'
import { quantize } from '../../../src/core/vectors'

export const DIMENSIONS = 32

/** Adds up one fixed direction per word, so texts that share words are near. */
export function vectorOf(text: string): Vector {
  const sum = new Float64Array(DIMENSIONS)
  for (const term of terms(text)) {
    for (let i = 0, h = 7; i < DIMENSIONS; i++) {
      for (const char of term) h = (Math.imul(h, 31) + char.charCodeAt(0) + i) | 0
      sum[i] = (sum[i] ?? 0) + ((h >>> 7) % 201) - 100
    }
  }
  return quantize(sum)
}

export interface Topic {
  readonly id: string
  readonly description?: string
  readonly texts: readonly string[]
}

export const topics: readonly Topic[] = [
  { id: 'lost_card', texts: ['I lost my card on the train', 'My card was stolen, please block it'] },
  { id: 'exchange_rate', texts: ['What exchange rate do you use for euros', 'The currency rate looks wrong'] },
  { id: 'top_up', texts: ['How do I top up by bank transfer', 'My top up has failed again'] },
  { id: 'weather', texts: ['Will it rain in Paris tomorrow', 'How cold is it outside tonight'] },
  { id: 'recipe', texts: ['How do I bake bread with yeast', 'What can I cook with eggs and rice'] },
  { id: 'travel_alert', texts: ['Is it safe to travel to Peru', 'Any travel warnings for Kenya'] },
]

export function empty(): MemoryGraph {
  return new MemoryGraph(DIMENSIONS)
}

export function put(graph: MemoryGraph, { id, description = '', texts }: Topic, settings: GoragSettings = goragDefaults): void {
  const text = descriptionText({ id, description }, settings.names)
  const examples = texts.map((text, i) => ({ id: String(i), text, vector: vectorOf(text) }))
  graph.apply(putLabel(graph, { id, description, ...(text ? { vector: vectorOf(text) } : {}), examples }, settings))
}

export function drop(graph: MemoryGraph, id: string, settings: GoragSettings = goragDefaults): void {
  graph.apply(dropLabel(graph, id, settings))
}

export function filled(of: readonly Topic[] = topics, settings: GoragSettings = goragDefaults): MemoryGraph {
  const graph = empty()
  for (const topic of of) put(graph, topic, settings)
  return graph
}

export function ask(graph: MemoryGraph, text: string, settings: GoragSettings = goragDefaults, now = 0) {
  return classify(graph, { text, vector: vectorOf(text), now }, settings)
}

export function teach(
  graph: MemoryGraph,
  text: string,
  label: string,
  { confidence = 0.9, at = 0, settings = goragDefaults }: { confidence?: number; at?: number; settings?: GoragSettings } = {},
): string | null {
  const { patch, learned } = learn(graph, { text, label, confidence, source: 'model', at }, settings)
  graph.apply(patch)
  return learned
}

export function forget(graph: MemoryGraph, which: { id: string } | { since: number }, settings: GoragSettings = goragDefaults): void {
  graph.apply(unlearn(graph, which, settings))
}

/** The whole graph as comparable text. */
export function lines(graph: MemoryGraph): string[] {
  return [...graph.lines()].sort()
}
