/** The Model Context Protocol: each request is answered by a server made for it and its caller. There are no sessions. */
import { z } from 'zod'
import type { Ctx } from '../context'
import { MESSAGE_LIMIT } from '../doors/mcp-message'
import { tools } from '../doors/mcp-tool-list'
import type { Parameter } from '../parameters'
import { type Route, route } from '../route'

const rpcError = z.object({ jsonrpc: z.literal('2.0'), error: z.object({ code: z.int(), message: z.string() }).loose(), id: z.unknown() })
const refused = (description: string) => ({ description, schema: rpcError })
const corpus: Parameter = {
  name: 'corpus',
  in: 'query',
  description: 'Limits this connection to one corpus.',
  schema: { type: 'string' },
}
const anyJson = z.record(z.string(), z.unknown())
const names = (scope: 'read' | 'write'): readonly string[] =>
  Object.entries(tools).flatMap(([name, one]) => (one.scope === scope ? [`\`${name}\``] : []))
const TOOLS = `Tools: ${names('read').join(', ')}, and with a key that may write ${names('write').join(' and ')}.`

export const mcpRoutes = [
  route({
    method: 'post',
    path: '/mcp',
    id: 'mcp',
    tag: 'agents',
    summary: 'Speak the Model Context Protocol over streamable HTTP, stateless',
    description: `${TOOLS} \`?corpus=\` fixes the corpus.`,
    access: 'key',
    parameters: [corpus],
    body: {
      schema: anyJson,
      example: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      limit: MESSAGE_LIMIT,
      readBy: 'handler',
      inTurn: 'twice',
    },
    answers: {
      200: { description: 'A reply, as JSON or as an event stream.' },
      202: { description: 'A notification was accepted.' },
      400: refused('Not a message of the protocol.'),
      406: refused('`Accept` must name both `application/json` and `text/event-stream`.'),
      413: refused('Larger than 4 MiB.'),
      415: refused('Not JSON.'),
    },
  }).answer(answer),
  sessionless('get', 'Refuse to open a stream: there are no sessions'),
  sessionless('delete', 'Refuse to end a session: there are none'),
]

function sessionless(method: 'get' | 'delete', summary: string): Route {
  return route({
    method,
    path: '/mcp',
    id: `${method}Mcp`,
    tag: 'agents',
    summary,
    access: 'key',
    parameters: [corpus],
    answers: { 405: { description: 'Always.' } },
  }).answer(answer)
}

/** Loaded when first used: the protocol costs nothing at startup. */
async function answer(c: Ctx): Promise<{ readonly response: Response }> {
  const door = await import('../doors/mcp')
  return { response: await door.answer(c) }
}
