/** The Model Context Protocol: each request is answered by a server made for it and its caller. There are no sessions. */
import { Hono } from 'hono'
import { signedIn } from '../access'
import type { Http } from '../context'
import { takes } from '../query'

export const mcpRoutes = new Hono<Http>().on(['GET', 'POST', 'DELETE'], '/mcp', takes('corpus'), signedIn, async (c) => {
  // Loaded when first asked for: the protocol costs nothing at start.
  const { answer } = await import('../doors/mcp')
  return answer(c)
})
