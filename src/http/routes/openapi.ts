/** The OpenAPI document: to anyone, so that tools can read it before they have a key. */
import { Hono } from 'hono'
import type { Http } from '../context'

export const openapiRoutes = new Hono<Http>().get('/openapi.json', async (c) => {
  // Loaded when first asked for: descriptions cost nothing at start.
  const { openapi } = await import('../openapi/document')
  return c.json(openapi(c.get('world').version), 200, { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' })
})
