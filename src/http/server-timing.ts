/** The time and cost of a question, in the header where a browser's tools and a proxy's logs look for it. */
import type { Timing, Usage } from '../contract/questions'
import type { Ctx } from './context'

/** `embed;dur=12, retrieve;dur=4, total;dur=17, usage;desc="in=0 out=0 embedded=9 calls=1"` */
export function serverTiming(c: Ctx, { timing_ms, usage }: { readonly timing_ms: Timing; readonly usage: Usage }): void {
  const steps = Object.entries(timing_ms).map(([step, ms]) => `${step};dur=${ms}`)
  const { in: read, out, embedded, calls } = usage
  c.header('server-timing', [...steps, `usage;desc="in=${read} out=${out} embedded=${embedded} calls=${calls}"`].join(', '))
}
