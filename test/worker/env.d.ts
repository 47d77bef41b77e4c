/** What only the tests are bound to. */
declare namespace Cloudflare {
  interface Env {
    readonly DB: D1Database
    readonly TEST_MIGRATIONS: import('cloudflare:test').D1Migration[]
    readonly CONTROL: Service<import('../../local/workerd/control').Control>
  }
}
