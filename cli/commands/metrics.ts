/** `loam metrics`: the numbers that Prometheus reads, as they are. Plain: the same. */
import { command, text } from '../command'
import { connect } from '../connect'
import { service } from '../options'

export const metrics = command(
  {
    usage: 'metrics [corpus]',
    summary: 'print the metrics that Prometheus reads, of one corpus or of all',
    maxWords: 1,
    options: { ...service, family: text('only metrics whose name begins with this') },
    examples: ['loam metrics', 'loam metrics birds --family loam_jobs'],
  },
  async ({ values: { family = '', ...values }, positionals: [corpus], out, env }) => {
    const all = await connect({ values, env }).loam.metrics(corpus === undefined ? {} : { corpus })
    const chosen = family === '' ? all.trimEnd() : linesOf(all, family)
    out.result({ metrics: chosen }, { people: () => chosen || `No metric begins with ${family}.`, plain: () => chosen })
  },
)

const linesOf = (all: string, family: string): string =>
  all
    .split('\n')
    .filter((line) => (line.startsWith('# ') ? line.split(' ')[2] : line)?.startsWith(family))
    .join('\n')
