/** `loam dev`: Loam on this machine; the same as `npm start`. */
import { script } from '../script.mjs'

export async function run({ values }) {
  const env = {
    ...(values.port ? { PORT: values.port } : {}),
    ...(values.state ? { LOAM_STATE: values.state } : {}),
    ...(values.listen ? { LOAM_LISTEN: values.listen } : {}),
    ...(values.watch ? { LOAM_WATCH: '1' } : {}),
  }
  process.exitCode = await script('start.mjs', values.json ? ['--json'] : [], env)
}
