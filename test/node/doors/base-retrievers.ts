/**
 * What the retrievers in examples/ take of LangChain's and LlamaIndex's core: 62 MB of packages that every `npm test` would install. Both examples
 * were run against the real ones (@langchain/core 1.4.0, @llamaindex/core 0.6.23).
 */
interface Found {
  readonly id?: string
  readonly pageContent: string
  readonly metadata: object
}

export class Document {
  readonly pageContent: string
  readonly metadata: object

  constructor({ pageContent, metadata }: Found) {
    this.pageContent = pageContent
    this.metadata = metadata
  }
}

export class TextNode {
  readonly text: string

  constructor({ text }: { readonly text: string }) {
    this.text = text
  }
}

export abstract class BaseRetriever {
  protected _getRelevantDocuments?(query: string): Promise<unknown>
  protected _retrieve?(asked: { readonly query: string }): Promise<unknown>

  invoke(query: string): Promise<unknown> | undefined {
    return this._getRelevantDocuments?.(query)
  }

  retrieve(query: string): Promise<unknown> | undefined {
    return this._retrieve?.({ query })
  }
}
