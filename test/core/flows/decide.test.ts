import { expect, it } from 'vitest'
import { MemoryGraph } from '../../../src/core/graph/memory'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import { classify, putLabel } from '../../../src/core/strategies/gorag/gorag'
import { quantize } from '../../../src/core/vectors'
import { allowanceOf } from '../../../src/flows/allowance'
import { decide } from '../../../src/flows/decide'
import { config, fakeCorpus, fakeModels } from './fakes'

it('[V1805] a choice among labels is asked for by a schema that has no others', async () => {
  const settings = { ...defaultSettings, dimensions: 8 }
  const graph = new MemoryGraph(8)
  const vector = (n: number) => quantize(Float32Array.from({ length: 8 }, (_, i) => (i === n ? 1 : 0.1)))
  for (const [n, id] of ['lost_card', 'fee_question'].entries()) {
    const examples = [{ id: `${id} 0`, text: `about ${id}`, vector: vector(n) }]
    graph.apply(putLabel(graph, { id, description: id, vector: vector(n), examples }, settings.gorag))
  }
  const found = classify(graph, { text: 'my card is gone', vector: vector(0), now: 0 }, settings.gorag)
  const models = fakeModels({ write: ['{"label": "fee_question"}'] })
  const schemas: unknown[] = []
  const write: typeof models.write = (messages, options) => {
    schemas.push(options.schema)
    return models.write(messages, options)
  }
  const decided = await decide({ models: { ...models, write } }, 'my card is gone', found, allowanceOf({ corpus: fakeCorpus(), config }))
  expect([decided.by, decided.found.label]).toEqual(['model', 'fee_question'])
  const [schema] = schemas as { properties: { label: { enum?: string[] } } }[]
  expect(schema?.properties.label.enum?.toSorted()).toEqual(['fee_question', 'lost_card'])
})
