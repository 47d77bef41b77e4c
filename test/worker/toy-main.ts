/** The product as `npm start` runs it, with a sixth strategy from test/core/strategies/toy/. */
import '../core/strategies/toy/added'

export * from '../../local/platform/main'
export { default } from '../../local/platform/main'
