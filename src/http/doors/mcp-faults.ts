/**
 * Invalid parameters of a method of the protocol (`prompts/get` without a name, a cursor that is a number). The protocol's library
 * throws the schema's errors like any other error, which is answered with -32603, an internal error, and the schema's issues as JSON.
 * They are the caller's errors: -32602.
 */
import { type JSONRPCMessage, type McpServer, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { placeOf } from '../schema-faults'

const issues = z
  .array(z.looseObject({ code: z.string(), path: z.tuple([z.literal('params')], z.union([z.string(), z.number()])), message: z.string() }))
  .min(1)

/** Before it is connected. */
export function blameParameters(server: McpServer): McpServer {
  const inner = server.server
  const connect = inner.connect.bind(inner)
  inner.connect = (transport) => {
    const send = transport.send.bind(transport)
    transport.send = (message, options) => send(blamed(message), options)
    return connect(transport)
  }
  return server
}

function blamed(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message) || message.error.code !== ProtocolErrorCode.InternalError) return message
  const found = issues.safeParse(jsonIn(message.error.message))
  if (!found.success) return message
  const faults = found.data.map(({ path: [, ...path], message }) => [placeOf(path), message].filter(Boolean).join(': '))
  return { ...message, error: { ...message.error, code: ProtocolErrorCode.InvalidParams, message: `Invalid params: ${faults.join('; ')}` } }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
