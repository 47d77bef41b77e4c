/**
 * What a handler returns: one of the answers that its route declares. Another status, or a body that lacks a member or has it with
 * another type, does not compile. A test over every route checks that nothing is sent that no schema names
 * (test/worker/doors.test.ts).
 */
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'
import type { Immutable } from '../contract/immutable'
import type { Ctx } from './context'
import type { Answer, Operation } from './operation'

/** For helpers of handlers. */
export interface Answered<S extends number, T> {
  readonly status: S
  readonly body: T
}

interface Headed {
  readonly headers?: { readonly [name: string]: string }
}

/** Sent as it is: a stream, a page, what another protocol has made. */
interface Unformed {
  readonly response: Response
}

type BodyOf<A extends Answer> = A extends { readonly schema: infer S extends z.ZodType }
  ? { readonly body: Immutable<z.input<S>> }
  : { readonly body?: undefined }

export type Reply<O extends Pick<Operation, 'answers'>> =
  | { [S in keyof O['answers'] & number]: Headed & { readonly status: S } & BodyOf<O['answers'][S]> }[keyof O['answers'] & number]
  | Unformed

export type AnyReply = Unformed | (Headed & { readonly status: number; readonly body?: unknown })

export function responseTo(c: Ctx, reply: AnyReply): Response {
  if ('response' in reply) return reply.response
  const { status, body, headers = {} } = reply
  if (body === undefined) return c.body(null, status as 204, headers)
  return c.json(body, status as ContentfulStatusCode, headers)
}
