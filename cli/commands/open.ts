/** `loam open`: opens the page in a browser. If there is none, it prints the address. */
import { command } from '../command'
import { connect } from '../connect'
import { service } from '../options'

const OPENERS: { readonly [platform: string]: readonly string[] } = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] }

export const open = command(
  {
    usage: 'open [corpus]',
    summary: 'open the page in your browser',
    maxWords: 1,
    options: service,
    examples: ['loam open', 'loam open birds'],
  },
  async ({ values, positionals: [named], out, env }) => {
    const { url, loam } = connect({ values, env })
    await loam.health() // a page that nobody serves is not worth opening
    const page = new URL(named === undefined ? '/' : `/#/c/${encodeURIComponent(named)}`, url).href
    out.result({ url: page }, { people: () => page, plain: () => page })
    if (!out.isForPeople) return
    const [program = 'xdg-open', ...args] = OPENERS[process.platform] ?? []
    const { spawn } = await import('node:child_process') // slow to load, and seldom wanted
    const child = spawn(program, [...args, page], { stdio: 'ignore', detached: true })
    child.on('error', () => {}) // no browser here: the address stands above
    child.unref()
  },
)
