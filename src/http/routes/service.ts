/**
 * The service itself: its health, its description for tools and for people. The reference page is Redoc over our own document, with
 * its script among our own assets; the content security policy lets nothing be fetched from elsewhere, whatever the renderer
 * requests.
 */

import { health, readiness } from '../../contract/deployment'
import { Problem } from '../problem'
import { READY_EVERY } from '../readiness'
import { route } from '../route'

const SCRIPT = '/reference/redoc.standalone.js' // put there by scripts/copy-reference.mjs
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Loam API</title>
<link rel="icon" href="data:,">
<style>body { margin: 0 } img[src="data:,"] { display: none }</style>
</head>
<body>
<noscript>This page needs JavaScript. The same as JSON: <a href="/openapi.json">/openapi.json</a></noscript>
<redoc spec-url="/openapi.json" disable-search="false" hide-download-button="false" native-scrollbars></redoc>
<script src="${SCRIPT}"></script>
</body>
</html>
`
const headers = { 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }

export const serviceRoutes = [
  route({
    method: 'get',
    path: '/healthz',
    id: 'health',
    tag: 'service',
    summary: 'Check that the service is up',
    access: 'open',
    answers: { 200: { description: 'The service is up.', schema: health, example: { status: 'ok', version: '0.1.0' } } },
  }).answer((c) => ({ status: 200, body: { status: 'ok', version: c.get('world').version } })),
  route({
    method: 'get',
    path: '/readyz',
    id: 'readiness',
    tag: 'service',
    summary: 'Check that the service can do its work',
    description:
      'Queries the databases, at most once every five seconds per isolate. For the health of one corpus, see its `GET …/health`.',
    access: 'open',
    answers: {
      200: { description: 'The databases answer.', schema: readiness, example: { status: 'ready', control: 'ok', data: 'ok' } },
    },
    problems: ['unavailable'],
  }).answer(async (c) => {
    const { control, data } = await c.get('caches').ready(c.get('world'))
    if (control === 'ok' && data !== 'unavailable') return { status: 200, body: { status: 'ready', control, data } }
    throw new Problem('unavailable', 'A database does not answer.', { members: { control, data }, retryAfter: READY_EVERY / 1000 })
  }),
  route({
    method: 'get',
    path: '/openapi.json',
    id: 'openapi',
    tag: 'service',
    summary: 'Get this document',
    access: 'open',
    answers: { 200: { description: 'OpenAPI 3.1.' } },
  }).answer(async (c) => {
    // Made when first requested; open to anyone, so that tools can read it before they have a key.
    const { openapi } = await import('../openapi/document')
    const document = openapi(c.get('operations'), c.get('world').version)
    return { response: c.json(document, 200, { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' }) as Response }
  }),
  route({
    method: 'get',
    path: '/docs',
    id: 'docs',
    tag: 'service',
    summary: 'Read this document as a page',
    access: 'open',
    answers: { 200: { description: 'A page.', type: 'text/html' } },
  }).answer((c) => ({ response: c.html(PAGE, 200, headers) as Response })),
]
