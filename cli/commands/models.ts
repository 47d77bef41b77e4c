/** `loam models`: models that run on this machine; the same as `npm run models`. */
import { command, flag } from '../command'
import { runScript } from '../run-script'

export const models = command(
  {
    usage: 'models [fetch <name> | remove <name>]',
    verbs: ['fetch', 'remove'],
    summary: 'list, fetch and remove models that run on this machine',
    maxWords: 2,
    options: {
      'accept-licence': flag('accept the licence of a model that requires it'),
      all: flag('with remove: every model and the engine'),
    },
    examples: ['loam models', 'loam models fetch qwen2.5-coder-1.5b && loam start --text-model qwen2.5-coder-1.5b'],
  },
  async ({ values, positionals }) => {
    const flags = [...(values['accept-licence'] ? ['--accept-licence'] : []), ...(values.all ? ['--all'] : [])]
    process.exitCode = await runScript('models.mjs', [...positionals, ...flags], { LOAM_CLI: '1' })
  },
)
