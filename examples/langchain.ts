/** A retriever of LangChain.js over a corpus: documents with the place each was found at. */
import { Document } from '@langchain/core/documents'
import { BaseRetriever } from '@langchain/core/retrievers'
import { type CorpusClient, Loam, type Search } from 'loam/client'

export class LoamRetriever extends BaseRetriever {
  lc_namespace = ['loam', 'retrievers']

  constructor(
    private readonly corpus: CorpusClient,
    private readonly options: Omit<Search, 'query'> = {},
  ) {
    super()
  }

  async _getRelevantDocuments(query: string): Promise<Document[]> {
    const { evidence } = await this.corpus.search({ query, ...this.options })
    return evidence.map(({ id, text, ...metadata }) => new Document({ id, pageContent: text, metadata }))
  }
}

const loam = new Loam({ url: process.env.LOAM_URL ?? 'http://127.0.0.1:8787', key: process.env.LOAM_KEY ?? 'local-development-key' })
const retriever = new LoamRetriever(loam.corpus('birds'), { strategy: 'hybrid', top_k: 3 })
for (const { pageContent, metadata } of await retriever.invoke('What does the heron eat?')) console.log(metadata.document, pageContent)
