/**
 * An ontology proposed by a real model, by the product's own flow, over the first documents of a data set: what it proposes, and what is dropped of it.
 *   npm run bench -- models/propose [--model qwen2.5-coder-1.5b] [--set multihop/dev_hotpot.json] [--documents 32] [--reply reply.txt] --data <folder>
 * `--reply`: where the model's words are kept; where that file is there already, it is read again and nothing is asked.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { proposeOntology } from '../../src/flows/propose-ontology'
import type { Models } from '../../src/ports/models'
import { config, fakeCorpus } from '../../test/core/flows/fakes'
import { serve, silent } from './serving'

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: 'qwen2.5-coder-1.5b' },
    set: { type: 'string', default: 'multihop/dev_hotpot.json' },
    documents: { type: 'string', default: '32' },
    reply: { type: 'string', default: join('bench', 'results', 'proposal.txt') },
    data: { type: 'string' },
  },
})
const data = values.data ?? process.env.LOAM_DATA
if (!data) throw new Error('--data <folder>: of the data sets')
const { passages } = JSON.parse(readFileSync(join(data, values.set), 'utf8')) as {
  readonly passages: readonly { readonly title: string; readonly text: string }[]
}
const CHUNK = 3000 // characters: about what a chunk of the default settings has
const documents = passages
  .slice(0, Number(values.documents))
  .map(({ title, text }, i) => ({ document: `d${i}`, text: `${title}\n${text}`.slice(0, CHUNK) }))

const isKept = existsSync(values.reply)
const serving = await (isKept ? silent() : serve([values.model], 1, console.log))
try {
  const models = serving.models(values.model)
  const began = performance.now()
  const keeping: Models = {
    ...models,
    async write(messages, options) {
      if (isKept) return { text: readFileSync(values.reply, 'utf8'), spent: { in: 0, out: 0, embedded: 0 } }
      const reply = await models.write(messages, options)
      writeFileSync(values.reply, reply.text)
      console.log(`${Math.round((performance.now() - began) / 1000)} s${reply.truncated ? ', cut' : ''}\n${reply.text}`)
      return reply
    },
  }
  const corpus = {
    ...fakeCorpus(),
    documents: async () =>
      ({ data: documents.map(({ document }) => ({ document, active: true, access: [] })), next_cursor: null }) as never,
    chunks: async (id: string) =>
      ({ data: documents.filter(({ document }) => document === id).map((one) => ({ ...one, entities: [] })) }) as never,
  }
  const proposal = await proposeOntology({ corpus, config, models: keeping, later: () => undefined }, {}, 'all')
  console.log(JSON.stringify(proposal, null, 1))
} finally {
  await serving.stop()
}
