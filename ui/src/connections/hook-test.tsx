/** Whether a webhook's address and secret work: an event without a document, signed here as its sender would sign it. */
import { useState } from 'preact/hooks'
import type { MadeHook } from '../../../src/client/client'
import { signedHeaders } from '../../../src/hooks/sign'

async function sendTest(hook: MadeHook): Promise<string> {
  const body = new TextEncoder().encode('{}')
  const id = `test_${crypto.randomUUID()}`
  const headers = await signedHeaders(hook.preset, hook.signature, { secret: hook.secret, body, id, now: Date.now() })
  if (!headers) return 'This is not a secret for that kind of webhook.'
  const response = await fetch(new URL(hook.url).pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  const said: { readonly detail?: string } = await response.json().catch(() => ({}))
  if (response.ok) return `Accepted: the signature is genuine (${response.status}). Nothing was changed.`
  // It is read only once its signature has been verified.
  if (response.status === 422) return 'Accepted: the signature is genuine. The test contains no document, so none was added.'
  return `Refused: ${said.detail ?? 'no reason given'} (${response.status})`
}

export function HookTest({ hook }: { readonly hook: MadeHook }) {
  const [result, tell] = useState('')
  const send = () => {
    tell('Sending …')
    sendTest(hook).then(tell, () => tell('The address could not be reached.'))
  }
  return (
    <p class="row wrap">
      <button type="button" onClick={send}>
        Send a test
      </button>
      <span role="status">{result}</span>
    </p>
  )
}
