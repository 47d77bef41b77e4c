/** A retriever of LlamaIndex.TS over a corpus: nodes with scores, for its query engines and agents. */

import type { QueryBundle } from '@llamaindex/core/query-engine'
import { BaseRetriever } from '@llamaindex/core/retriever'
import { type NodeWithScore, TextNode } from '@llamaindex/core/schema'
import { type CorpusClient, Loam, type Search } from 'loam/client'

export class LoamRetriever extends BaseRetriever {
  constructor(
    private readonly corpus: CorpusClient,
    private readonly options: Omit<Search, 'query'> = {},
  ) {
    super()
  }

  async _retrieve({ query }: QueryBundle): Promise<NodeWithScore[]> {
    const text = typeof query === 'string' ? query : query.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
    const { evidence } = await this.corpus.search({ query: text, ...this.options })
    return evidence.map(({ id, score, text, ...metadata }) => ({ node: new TextNode({ id_: id, text, metadata }), score }))
  }
}

const loam = new Loam({ url: process.env.LOAM_URL ?? 'http://127.0.0.1:8787', key: process.env.LOAM_KEY ?? 'local-development-key' })
const retriever = new LoamRetriever(loam.corpus('birds'), { strategy: 'hybrid', top_k: 3 })
for (const { node, score } of await retriever.retrieve('What does the heron eat?')) console.log(score, (node as TextNode).text)
