/** Operations as a plain list by id, for src/contract/operations.ts. */
import type { Operation } from '../operation'

export function listed(operations: readonly Operation[]) {
  return Object.fromEntries(
    operations.map(({ id, method, path, tag, summary, parameters = [] }) => {
      const query = parameters.filter((one) => one.in === 'query').map(({ name }) => name)
      return [id, { method: method.toUpperCase(), path, tag, summary, query }]
    }),
  )
}
