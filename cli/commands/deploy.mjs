/** `loam deploy`: says what it will make in the account, asks, and makes it; the same as `npm run deploy`. */
import { Failure } from '../failure.mjs'
import { agreed } from '../question.mjs'
import { script } from '../script.mjs'

export async function run({ values, out, stdin }) {
  const json = values.json ? ['--json'] : []
  const options = ['domain', 'sampling'].flatMap((name) => (values[name] === undefined ? [] : [`--${name}`, values[name]]))
  const rotate = values['rotate-master-key'] ? ['--rotate-master-key'] : []
  if (!values.json) out.note('This is what the account will have; what is there already is kept:\n')
  const planned = values.json && !values.plan ? 0 : await script('deploy.mjs', ['--plan', ...json, ...options])
  if (planned !== 0) throw new Failure('the plan could not be made')
  if (values.plan) return
  if (!values.yes && !(await agreed('\nGo on?', { stdin, otherwise: 'nobody can be asked here; --yes goes on without' })))
    throw new Failure('nothing was made', { code: 'declined' })
  process.exitCode = await script('deploy.mjs', ['--planned', ...json, ...options, ...rotate])
}
