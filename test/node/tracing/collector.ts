/** A collector that believes nothing: every member of what it is sent is looked at, as opentelemetry-proto's trace/v1 in JSON has it. */
import { z } from 'zod'

const hex = (digits: number) => z.string().regex(new RegExp(`^(?!0+$)[0-9a-f]{${digits}}$`))
const value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ doubleValue: z.number() }),
])
const attributes = z
  .array(z.strictObject({ key: z.string().min(1), value }))
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, 'a key comes twice')
const nanos = z.string().regex(/^\d{16,19}$/)
const span = z
  .strictObject({
    traceId: hex(32),
    spanId: hex(16),
    parentSpanId: hex(16).optional(),
    flags: z.literal(1),
    name: z.string().min(1),
    kind: z.union([z.literal(1), z.literal(2), z.literal(3)]),
    startTimeUnixNano: nanos,
    endTimeUnixNano: nanos,
    attributes,
    status: z.strictObject({ code: z.literal(2).optional(), message: z.string().optional() }),
  })
  .refine((one) => BigInt(one.endTimeUnixNano) >= BigInt(one.startTimeUnixNano), 'ends before it starts')
const body = z.strictObject({
  resourceSpans: z
    .array(
      z.strictObject({
        resource: z.strictObject({ attributes }),
        scopeSpans: z.array(
          z.strictObject({ scope: z.strictObject({ name: z.string(), version: z.string() }), spans: z.array(span).min(1) }),
        ),
      }),
    )
    .length(1),
})

export type ReceivedSpan = z.output<typeof span>

export interface Collector {
  readonly spans: ReceivedSpan[]
  readonly calls: { readonly url: string; readonly headers: Headers }[]
  /** Of its next answers; 200 unless told. */
  status: number | 'down'
  fetch(url: string, init: RequestInit): Promise<Response>
}

export function collector(): Collector {
  const own: Collector = {
    spans: [],
    calls: [],
    status: 200,
    async fetch(url, init) {
      own.calls.push({ url, headers: new Headers(init.headers) })
      if (own.status === 'down') throw new TypeError('connection refused')
      if (own.status === 200) {
        const { resourceSpans } = body.parse(JSON.parse(String(init.body)))
        own.spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans)))
      }
      return new Response('{}', { status: own.status })
    },
  }
  return own
}

export function attributeOf({ attributes: all }: ReceivedSpan, key: string): string | number | boolean | undefined {
  const found = all.find((one) => one.key === key)?.value
  return found && (Object.values(found)[0] as string | number | boolean)
}
