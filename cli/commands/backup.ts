/** `loam backup`: an export in a file, checked as `loam verify` checks it. Plain: corpus, file, bytes, version, hash of the last receipt. */
import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { command, text } from '../command'
import { connect, findCorpus } from '../connect'
import { Failure } from '../failure'
import { corpus, service } from '../options'
import { fields, many } from '../output'
import { writeExport } from '../write-export'

const MAX_TRIES = 3 // of a corpus that changes while it is exported

export const backup = command(
  {
    usage: 'backup [corpus]',
    summary: 'everything of a corpus in a file, checked; `loam restore` takes it back',
    maxWords: 1,
    options: { ...service, ...corpus, output: text('to this file (<corpus>-<day>.jsonl)', { short: 'o' }) },
    examples: ['loam backup birds', 'loam backup birds -o birds.jsonl && loam restore birds.jsonl -c birds-again'],
  },
  async ({ values, positionals: [named], out, env }) => {
    const connection = connect({ values, env })
    const kept = named === undefined ? await findCorpus(connection) : connection.loam.corpus(named)
    const file = values.output ?? `${kept.name}-${new Date().toISOString().slice(0, 10)}.jsonl`
    if (values.output === undefined && existsSync(file)) throw new Failure(`${file} is there already; --output names another`)
    const { verifyExport } = await import('../verifying/verify-export')
    for (let tries = 1; ; tries++) {
      const bytes = await writeExport(kept, 'jsonl', file)
      const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY })
      const { verdict, version, head, rows, faults } = await verifyExport(lines)
      if (verdict === 'moved' && tries < MAX_TRIES) {
        out.note('the corpus changed meanwhile; once more')
        continue
      }
      if (verdict === 'moved') throw new Failure(`${file}: the corpus changes all the time; wait until it is settled (loam status --watch)`)
      if (verdict === 'broken') throw new Failure(`${file}: ${faults.join('; ')}`)
      return out.result(
        { corpus: kept.name, file, bytes, version, head, rows },
        {
          people: () =>
            `${kept.name} is in ${file}: whole, ${many(rows, 'row')}, ${(bytes / 1e6).toFixed(1)} MB, version ${version}\nhead ${head}`,
          plain: () => fields(kept.name, file, bytes, version, head),
        },
      )
    }
  },
)
