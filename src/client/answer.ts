/** Reads an answer of Loam. Anything else is recognised: the page of another service, a proxy's message, an answer that broke off. */
import { LoamError } from './error'

export async function jsonOf(response: Response): Promise<object> {
  const text = await response.text().catch((cause: unknown) => {
    throw brokenOff(cause)
  })
  const value = parsed(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw foreign(response)
  return value
}

export function foreign(response?: Response): LoamError {
  const { url, status } = response ?? {}
  const type = response?.headers.get('content-type')?.split(';')[0] ?? ''
  const what = [type && `it sent ${type}`, url && `from ${new URL(url).origin}`].filter(Boolean).join(' ')
  return new LoamError('not_loam', `The answer did not come from Loam${what && ` (${what})`}.`, status === undefined ? {} : { status })
}

/** What ended reading it: a failure of the connection, or the caller's own signal, which is passed on as it is. */
export function brokenOff(error: unknown): unknown {
  if (!(error instanceof TypeError)) return error
  const { code, message } = (error.cause ?? error) as { readonly code?: string; readonly message?: string }
  return new LoamError('broken_off', `The answer broke off: ${code ?? message}.`, { cause: error })
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
