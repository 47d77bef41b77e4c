/**
 * A message of the protocol, read here: its library would read a second copy of the body, outside the request's turn
 * (reading-turn.ts).
 */
import { MIB, parseJson, readBytes } from '../body'
import type { Ctx } from '../context'
import { Problem } from '../problem'
import { forgetBody } from '../reading-turn'

export const MESSAGE_LIMIT = 4 * MIB

const TOO_LARGE = -32000 // codes of JSON-RPC
const NOT_JSON = -32700

/** Or why there is none, in the protocol's own form. */
export async function readMessage(c: Ctx): Promise<{ readonly message: unknown } | Response> {
  try {
    return { message: parseJson(await readBytes(c, MESSAGE_LIMIT)) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'too_large') return refusal(413, TOO_LARGE, error.detail)
    if (error.code === 'unavailable') throw error
    return refusal(400, NOT_JSON, `Parse error: ${error.detail}`)
  } finally {
    forgetBody(c)
  }
}

const refusal = (status: number, code: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status })
