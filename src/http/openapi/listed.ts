/** Operations by id, as src/contract/operations.ts lists them: what a call needs, and its description. */
import type { Operation } from '../operation'

export function listed(operations: readonly Operation[]) {
  return {
    calls: byId(operations, ({ method, path, parameters = [] }) => {
      const query = parameters.filter((one) => one.in === 'query').map(({ name }) => name)
      return { method: method.toUpperCase(), path, query }
    }),
    descriptions: byId(operations, ({ tag, summary }) => ({ tag, summary })),
  }
}

function byId<T>(operations: readonly Operation[], of: (operation: Operation) => T): { readonly [id: string]: T } {
  return Object.fromEntries(operations.map((one) => [one.id, of(one)]))
}
