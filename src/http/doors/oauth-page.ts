/** The page on which a person grants a client access: a form without scripts. Every text from the client is escaped. */
import type { ConsentAsked } from '../../ports/oauth'

const SCOPES: { readonly [scope: string]: string } = { read: 'search, read and ask', write: 'add and delete documents' }
const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:10vh auto;padding:0 1rem}input[type=password]{width:100%;box-sizing:border-box;padding:.5rem;font:inherit}button{font:inherit;padding:.4rem 1.2rem;margin-right:.5rem}label{display:block;margin:.5rem 0}.fault{color:#a00;font-weight:600}:root{color-scheme:light dark}'
const MARKS: { readonly [mark: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escaped = (text: string): string => text.replace(/[&<>"']/g, (mark) => MARKS[mark] ?? '')

export function consentPage(
  { clientName, redirectHost, redirectOrigin, isLocal, scopes, handle, headers }: ConsentAsked,
  fault?: string,
): Response {
  const ticks = scopes.map(
    (one) => `<label><input type="checkbox" name="scope" value="${escaped(one)}" checked> ${escaped(SCOPES[one] ?? one)}</label>`,
  )
  const body = `<h1>Let ${escaped(clientName)} use this Loam?</h1>
<p>This program chose its own name; nobody has checked it. Your answer is sent to <strong>${escaped(redirectHost)}</strong>.</p>
${isLocal ? '<p><strong>That is a program on your own computer.</strong> Go on only if you have just started it.</p>' : ''}
${fault === undefined ? '' : `<p class="fault" role="alert">${escaped(fault)}</p>`}
<form method="post">
<input type="hidden" name="handle" value="${escaped(handle)}">
<label>A key of this Loam. The program will see what the key may see.<input type="password" name="key" autocomplete="off" spellcheck="false" autofocus></label>
<fieldset><legend>It may</legend>${ticks.join('')}</fieldset>
<p><button name="decision" value="allow">Allow</button><button name="decision" value="deny" formnovalidate>Refuse</button></p>
</form>
<p>It can be ended at any time: revoke or rotate the key.</p>`
  return page(body, fault === undefined ? 200 : 400, headers, `'self' ${redirectOrigin}`)
}

export function refusalPage(why: string): Response {
  return page(
    `<h1>This request cannot continue</h1><p>${escaped(why)}</p><p>Start again from the program that sent you here.</p>`,
    400,
    new Headers(),
    "'none'",
  )
}

/** `form`: where the form may lead, the redirect after it included. */
function page(body: string, status: number, headers: Headers, form: string): Response {
  headers.set('content-type', 'text/html; charset=utf-8')
  headers.set('cache-control', 'no-store')
  headers.set('referrer-policy', 'same-origin')
  headers.set(
    'content-security-policy',
    `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; form-action ${form}`,
  )
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Loam</title><style>${STYLE}</style></head><body>${body}</body></html>`
  return new Response(html, { status, headers })
}
