/** The layers of a C-HNSW index (c-hnsw.ts) as its algorithms read and write them. */

export interface Linked {
  readonly vector: Int8Array
  /** Near nodes of the same layer; each links back to this one. */
  readonly links: readonly string[]
  /** The nearest node of the layer below, if there is one. */
  readonly down?: string
  /** Nodes of the layer above whose `down` is this one. */
  readonly ups: readonly string[]
}

/** What is read and written. Layer 0 is the lowest; layers from 0 to `top` hold nodes. */
export interface Layers {
  top(): number
  read(layer: number, id: string): Linked | undefined
  /** Announces nodes that are about to be read, if reading many at once is cheaper. */
  fetch?(layer: number, ids: readonly string[]): void
  write(layer: number, id: string, node: Linked | undefined): void
  /** Any node of the layer, always the same one until it goes. */
  entry(layer: number): string | undefined
  enter(layer: number, id: string | undefined): void
}
