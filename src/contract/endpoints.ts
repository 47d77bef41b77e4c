/** Endpoints that are notified of events, and what was delivered to them. */
import { z } from 'zod'
import { EVENTS } from './events'
import { exact } from './exact'
import type { Immutable } from './immutable'

export const address = z.string().min(1).max(2048)
const secret = z.string().min(1).max(256).describe('`whsec_` and 16 to 128 bytes in base64; created if you give none.')

export const endpointSchema = exact({
  url: address.describe('A public https address.'),
  events: z.array(z.enum(EVENTS)).max(EVENTS.length).nullish().describe('The events to send; all by default.'),
  secret: secret.nullish(),
})

export const renewSchema = exact({
  secret: secret.nullish(),
  overlap: z
    .int()
    .min(0)
    .max(30 * 86_400)
    .default(86_400)
    .describe('Seconds for which the old secret signs as well.'),
})

export const endpoint = z.object({
  endpoint: z.string(),
  url: z.string(),
  events: z.array(z.enum(EVENTS)).describe('Empty: all.'),
  status: z
    .enum(['active', 'gone'])
    .describe('`gone`: it answered 410. Nothing more is sent until its secret is rotated or a delivery is resent on request.'),
  created_at: z.string(),
})

export const shownEndpoint = endpoint.extend({ secret: z.string().describe('Shown only once.') })

export const delivery = z.object({
  delivery: z.string(),
  endpoint: z.string(),
  event: z.string().describe('The `webhook-id`, the same for every attempt.'),
  type: z.enum(EVENTS),
  status: z.enum(['pending', 'delivered', 'dead']),
  attempts: z.int(),
  last_result: z.string().nullable().describe('`http_503`, `timeout`, `dns`, `refused_private`, …'),
  created_at: z.string(),
  next_attempt_at: z.string().optional(),
})

export type NewEndpoint = Immutable<z.input<typeof endpointSchema>>
/** A secret chosen by the caller, and how long the old one stays valid. */
export type NewSecret = Immutable<z.input<typeof renewSchema>>
export type Endpoint = Immutable<z.output<typeof endpoint>>
export type MadeEndpoint = Immutable<z.output<typeof shownEndpoint>>
export type Delivery = Immutable<z.output<typeof delivery>>
export type DeliveryStatus = Delivery['status']
