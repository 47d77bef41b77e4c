import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byChance } from '../../../bench/variants/cluerag'
import { mentions } from '../../../src/core/builders/mentions'
import { nodeId } from '../../../src/core/ids'
import { cluerag } from '../../../src/core/strategies/cluerag/cluerag'
import { core, coreOf } from '../../../src/core/strategies/cluerag/core'
import { CORE, ledgerOf } from '../../../src/core/strategies/cluerag/ledger'
import type { ClueSettings } from '../../../src/core/strategies/cluerag/settings'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import { knowledge } from '../../../src/core/strategies/shared-builders'
import type { Brief, Builder, Reply, Task } from '../../../src/core/strategy'
import { doc, docs, documentsOf, settingsWith, vectorFor, type World, world } from '../builders/worlds'

const writing = (cluerag: Partial<ClueSettings>) =>
  settingsWith({ writer: true, models: 'scripted', cluerag: { ...defaultSettings.cluerag, ...cluerag } })

/** Each sentence with the document's name in place of its pronoun; one unit the text does not support. */
function rewritten(task: Task, brief: Brief): Reply {
  if (brief.kind !== 'extract') throw new Error('unexpected brief')
  const texts = [
    ...brief.text.split(/(?<=\.)\s+/).map((one) => one.replace(/^(He|She|It)\b/, brief.name)),
    'Penguins govern seventeen moons.',
  ]
  const units = texts.map((text) => ({ text, vector: vectorFor(text) }))
  return { node: task.node, input: task.input, kind: 'extract', extraction: { units, entities: [], relations: [] } }
}

/** A relation to a name in lower case, which no heuristic finds. */
function related(task: Task): Reply {
  const entities = ['Cyra Dunn', 'ferryman'].map((name) => ({ name, type: '', description: '' }))
  const relations = [{ source: 'Cyra Dunn', target: 'ferryman', description: 'met', strength: 5 }]
  return { node: task.node, input: task.input, kind: 'extract', extraction: { units: [], entities, relations } }
}

function chosen(at: World): number {
  const ids = at.graph.page('chunk', '', 1e6).filter((id) => at.graph.value(CORE, id) !== undefined)
  return ids.reduce((sum, id) => sum + (at.graph.chunk(id)?.tokens ?? 0), 0)
}

describe('Clue-RAG chooses chunks for the model', () => {
  it('[Q23] never more than α of the tokens, by any selector, on arrival and anew', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.constantFrom(0, 0.25, 0.5, 0.75, 1),
        fc.constantFrom<['cosine' | 'bleu', Builder]>(['cosine', core], ['bleu', core], ['cosine', coreOf(byChance)]),
        (seed, alpha, [selector, builder]) => {
          const builders = cluerag.builders.map((one) => (one === core ? builder : one))
          const at = world(builders, writing({ alpha, selector }))
          for (const one of docs(`k${seed}`, 8)) {
            at.change({ add: [one] })
            expect(chosen(at)).toBeLessThanOrEqual(alpha * ledgerOf(at.graph).tokens)
          }
          at.consolidate()
          expect(chosen(at)).toBeLessThanOrEqual(alpha * ledgerOf(at.graph).tokens)
          expect(ledgerOf(at.graph).spent).toBe(chosen(at))
          if (alpha === 1) expect(chosen(at)).toBe(ledgerOf(at.graph).tokens)
        },
      ),
      { seed: 23, numRuns: 20 },
    )
  })

  it('[Q23] choosing anew asks only for newly chosen chunks, and for none when nothing has changed', () => {
    const at = world(cluerag.builders, writing({ alpha: 0.5, selector: 'cosine' }))
    at.change({ add: docs('again', 10) })
    at.consolidate()
    const paid = at.graph.page('chunk', '', 1e6).filter((id) => at.graph.value(CORE, id) !== undefined)
    at.settle(rewritten)
    at.consolidate()
    const asked = [...at.tasks.values()].map((task) => task.node)
    expect(asked.filter((id) => paid.includes(id))).toEqual([])
  })

  it('[Q23] without a text model nothing is asked', () => {
    const at = world(cluerag.builders)
    at.change({ add: docs('none', 5) })
    at.consolidate()
    expect(at.tasks.size).toBe(0)
  })

  it('[Q24] the model’s units replace the sentences, name who "he" was, and lead to their passage', () => {
    const settings = writing({ alpha: 1, selector: 'cosine' })
    const at = world(cluerag.builders, settings)
    at.change({ add: [doc('a', '', 'Cyra Dunn is a painter. She left Riga in spring. He stayed.')] })
    const [chunk] = at.graph.page('chunk', '', 1)
    const who = nodeId('entity', 'cyra dunn')
    expect(at.graph.edgesTo('mentions', who).map((edge) => edge.data)).toEqual([[-1, 0]])
    at.settle(rewritten)
    expect(at.graph.edgesTo('mentions', who).map((edge) => edge.data)).toEqual([[-1, 3, 4, 5]])
    expect(at.graph.value('units', chunk ?? '')).toHaveLength(3) // the ungrounded one is not taken
    expect(documentsOf(at, at.ask(cluerag, 'When did Cyra Dunn leave?'))).toEqual(['a'])
  })

  it('[Q24] an unusable reply leaves the sentences, and the chunk is not asked again', () => {
    const at = world(cluerag.builders, writing({ alpha: 1, selector: 'cosine' }))
    at.change({ add: docs('bad', 3) })
    const before = at.hash()
    at.settle((task) => ({ node: task.node, input: task.input, kind: 'unusable', reason: 'invalid' }))
    expect(at.hash()).toBe(before)
    at.consolidate()
    expect(at.tasks.size).toBe(0)
  })

  it('[Q24] a name only another reading found keeps its mention, whichever came first', () => {
    const ferryman = nodeId('entity', 'ferryman')
    const orders = [
      [mentions, core, knowledge],
      [mentions, knowledge, core],
    ]
    for (const builders of orders) {
      const at = world(builders, writing({ alpha: 1, selector: 'cosine' }))
      at.change({ add: [doc('a', '', 'Cyra Dunn is a painter. She met the ferryman of Riga. He stayed.')] })
      at.consolidate()
      at.settle((task, brief) => (task.builder === 'knowledge' ? related(task) : rewritten(task, brief)))
      const mentioned = (key: string): readonly unknown[] => at.graph.edgesTo('mentions', nodeId('entity', key)).map((edge) => edge.data)
      expect(mentioned('ferryman')).toEqual([[1]])
      expect(mentioned('cyra dunn')).toEqual([[-1, 3, 4, 5]])
      expect(at.graph.edges('relates', ferryman)).toHaveLength(1)
      at.change({ remove: ['a'] })
      expect(at.graph.node(ferryman)).toBeUndefined()
    }
  })

  it('[Q24] insert, rewrite and delete give back the same graph', () => {
    const at = world(cluerag.builders, writing({ alpha: 1, selector: 'cosine' }))
    at.change({ add: docs('stay', 4) })
    at.settle(rewritten)
    const before = at.hash()
    const guests = docs('guest', 4)
    at.change({ add: guests })
    at.settle(rewritten)
    at.change({ remove: guests.map((one) => one.id) })
    expect(at.hash()).toBe(before)
  })
})
