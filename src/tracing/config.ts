/** Whether and where spans are sent, from the configuration variables. A bad value stops the start, with the variable's name. */
import { headerPairs } from './header-pairs'

export interface TracingVars {
  readonly OTLP_ENDPOINT?: string
  readonly OTLP_HEADERS?: string
  readonly OTLP_RATIO?: string
  readonly OTLP_TEXTS?: string
}

export interface TracingConfig {
  readonly endpoint: string
  readonly headers: { readonly [name: string]: string }
  readonly ratio: number
  readonly withTexts: boolean
}

/** Undefined: no endpoint is configured. `…/v1/traces` is added to an endpoint without a path, as the OTLP specification requires. */
export function tracingConfig({ OTLP_ENDPOINT, OTLP_HEADERS = '', OTLP_RATIO, OTLP_TEXTS }: TracingVars): TracingConfig | undefined {
  const named = OTLP_ENDPOINT?.trim()
  if (!named) return undefined
  if (!URL.canParse(named) || !/^https?:$/.test(new URL(named).protocol))
    throw new Error('OTLP_ENDPOINT must be an address, e.g. https://collector.example.org:4318')
  const url = new URL(named)
  if (url.pathname === '/') url.pathname = '/v1/traces'
  const ratio = OTLP_RATIO === undefined || OTLP_RATIO.trim() === '' ? 1 : Number(OTLP_RATIO)
  if (!(ratio >= 0 && ratio <= 1)) throw new Error(`OTLP_RATIO must be a number from 0 to 1, not ${JSON.stringify(OTLP_RATIO)}`)
  return { endpoint: url.href, headers: headerPairs('OTLP_HEADERS', OTLP_HEADERS), ratio, withTexts: OTLP_TEXTS === 'on' }
}
