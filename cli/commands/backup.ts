/** `loam backup`: writes everything in a corpus to a file, row by row. Plain: corpus, file, bytes, version, state. */
import { existsSync } from 'node:fs'
import { writeBackup } from '../backing-up/write-backup'
import { command, text } from '../command'
import { connect, findCorpus } from '../connect'
import { Failure, misuse } from '../failure'
import { corpus, service } from '../options'
import { fields, many } from '../output'

export const backup = command(
  {
    usage: 'backup [corpus] [file]',
    summary: 'write a corpus to a file and check it; `loam restore` brings back the same corpus',
    maxWords: 2,
    options: { ...service, ...corpus, output: text('the file to write (<corpus>-<day>.backup.jsonl)', { short: 'o' }) },
    examples: ['loam backup birds', 'loam backup birds birds.jsonl && loam restore birds.jsonl birds-again'],
  },
  async ({ values, positionals: [named, place], out, env }) => {
    const connection = connect({ values, env })
    const kept = named === undefined ? await findCorpus(connection) : connection.loam.corpus(named)
    if (place !== undefined && values.output !== undefined) throw misuse('name the file once: as a word or by --output')
    const chosen = values.output ?? place
    const file = chosen ?? `${kept.name}-${new Date().toISOString().slice(0, 10)}.backup.jsonl`
    if (chosen === undefined && existsSync(file)) throw new Failure(`${file} already exists; --output names another file`)
    const { bytes, rows, version, state } = await writeBackup(kept, file, out)
    out.result(
      { corpus: kept.name, file, bytes, version, state, rows },
      {
        people: () =>
          `${kept.name} is in ${file}: whole, ${many(rows, 'row')}, ${(bytes / 1e6).toFixed(1)} MB, version ${version}\nstate ${state}`,
        plain: () => fields(kept.name, file, bytes, version, state),
      },
    )
  },
)
