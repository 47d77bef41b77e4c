/**
 * The reference page: Redoc over our own OpenAPI document, its script among our own assets. The policy lets nothing be fetched from
 * anywhere else, whatever the renderer may ask for.
 */
import { Hono } from 'hono'
import type { Http } from '../context'

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

export const docsRoutes = new Hono<Http>().get('/docs', (c) =>
  c.html(PAGE, 200, { 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }),
)
