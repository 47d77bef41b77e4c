/** What only the tests are bound to. */
declare namespace Cloudflare {
  interface Env {
    readonly ASSETS: Fetcher
    readonly DB: D1Database
    readonly DATA_0: D1Database
    readonly DEDICATED_0: D1Database
    readonly DEDICATED_1: D1Database
    readonly INDEX_0: Vectorize
    readonly INDEX_1: Vectorize
    readonly INDEX_1_PREVIOUS: Vectorize
    /** The private key of the identity provider (identity-provider.mjs). */
    readonly TEST_IDENTITY: JsonWebKey
    readonly TEST_MIGRATIONS: import('cloudflare:test').D1Migration[]
    readonly CONTROL: Service<import('../../local/workerd/control').Control>
  }
}

/** As much of it as is used here; `nodejs_compat` has it. */
declare module 'node:async_hooks' {
  export class AsyncLocalStorage<T> {
    run<R>(store: T, act: () => R): R
    getStore(): T | undefined
  }
}
