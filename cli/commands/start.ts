/** `loam start`: Loam on this machine; the same as `npm start`. */
import { command, flag, text } from '../command'
import { runScript } from '../run-script'

export const start = command(
  {
    usage: 'start',
    aliases: ['dev'],
    summary: 'run Loam on this machine, without an account',
    maxWords: 0,
    options: {
      port: text('the port (8787); 0 picks a free one'),
      state: text('the folder for its data (.loam)'),
      listen: text('the address to listen on (127.0.0.1); beyond this machine, set a key of your own (ADMIN_KEY)'),
      watch: flag('rebuild after each edit'),
      'text-model': text('a model that runs on this machine (`loam models`), or a .gguf file'),
      'embedding-model': text('the same for embeddings'),
    },
    examples: [
      'loam start',
      'loam start --text-model qwen2.5-coder-1.5b',
      'LOCAL_MODEL_URL=http://127.0.0.1:11434/v1 LOCAL_TEXT_MODEL=qwen3:8b loam start --port 8788',
    ],
  },
  async ({ values }) => {
    const env = {
      ...(values.port ? { PORT: values.port } : {}),
      ...(values.state ? { LOAM_STATE: values.state } : {}),
      ...(values.listen ? { LOAM_LISTEN: values.listen } : {}),
      ...(values['text-model'] ? { LOCAL_TEXT_MODEL: values['text-model'] } : {}),
      ...(values['embedding-model'] ? { LOCAL_EMBEDDING_MODEL: values['embedding-model'] } : {}),
      ...(values.watch ? { LOAM_WATCH: '1' } : {}),
    }
    process.exitCode = await runScript('start.mjs', values.json ? ['--json'] : [], env)
  },
)
