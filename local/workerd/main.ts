/** The stand-ins' entry points: one worker, bound to the product as `AI` and `VECTORIZE`; `Control` is for tests. */
export { AiStandIn } from './ai'
export { Control } from './control'
export { VectorStore } from './vector-store'
export { PreviousVectorizeStandIn, VectorizeStandIn } from './vectorize'

export default {
  fetch: (): Response => new Response('stand-ins for Workers AI and Vectorize\n'),
} satisfies ExportedHandler
