/** What a call of the vector index came to when it failed: a code, never the vendor's words, which may quote an id. */

const TOO_MANY: ReadonlySet<number> = new Set([40014, 40041]) // writes: tried again later

export class VectorFault extends Error {
  override readonly name = 'VectorFault'

  /** `code`: the vendor's; 0 where it gave none, as for a lost connection. */
  constructor(
    readonly operation: string,
    readonly code: number,
  ) {
    super(`${operation} ${code}`)
  }

  /** Would the same call be refused again, whenever it came? */
  get isRefusal(): boolean {
    return this.code >= 40_000 && this.code < 41_000 && !TOO_MANY.has(this.code)
  }
}

/** What the binding rejects with: `VECTOR_UPSERT_ERROR (code = 40012): …`. */
export function vectorFault(operation: string, error: unknown): VectorFault {
  const message = error instanceof Error ? error.message : String(error)
  return new VectorFault(operation, Number(/\(code = (\d+)\)/.exec(message)?.[1] ?? 0))
}
