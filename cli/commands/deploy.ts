/** `loam deploy`: says what it will create in the account, asks, and creates it; the same as `npm run deploy`. */
import { command, flag, text } from '../command'
import { confirm } from '../confirm'
import { Failure } from '../failure'
import { runScript } from '../run-script'

const SCRIPT = 'deploy.mjs'

export const deploy = command(
  {
    usage: 'deploy',
    summary: 'deploy Loam to your Cloudflare account, after showing what that will do',
    maxWords: 0,
    options: {
      plan: flag('only show the plan and what a month costs'),
      domain: text('your own host name, in a zone of the account'),
      sampling: text('the share of requests that are logged, 0 to 1'),
      'rotate-master-key': flag('replace the key that seals secrets; needs ADMIN_KEY'),
      yes: flag('do not ask', { short: 'y' }),
    },
    examples: ['loam deploy --plan', 'loam deploy --domain docs.example.com', 'CLOUDFLARE_API_TOKEN=… ADMIN_KEY=… loam deploy --yes'],
  },
  async ({ values, stdin, out }) => {
    const json = values.json ? ['--json'] : []
    const options = (['domain', 'sampling'] as const).flatMap((name) => {
      const value = values[name]
      return value === undefined ? [] : [`--${name}`, value]
    })
    const rotate = values['rotate-master-key'] ? ['--rotate-master-key'] : []
    const planned = values.json && !values.plan ? 0 : await runScript(SCRIPT, ['--plan', ...json, ...options])
    if (planned !== 0) throw new Failure('the plan could not be made')
    if (values.plan) return values.json ? undefined : out.note('\nNothing was changed. `loam deploy` shows this again, asks, and makes it.')
    if (
      !values.yes &&
      !(await confirm('\nContinue?', { stdin, otherwise: 'there is no terminal to confirm at; --yes skips the question' }))
    )
      throw new Failure('nothing was created', { code: 'declined' })
    process.exitCode = await runScript(SCRIPT, ['--planned', ...json, ...options, ...rotate])
  },
)
