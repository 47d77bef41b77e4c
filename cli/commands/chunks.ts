/** `loam chunks`: lists a document's chunks, and corrects one of them. Plain: as `show --chunks` · `edit`: document, chunk, job (empty: none). */
import { readFileSync } from 'node:fs'
import type { CorpusClient } from '../../src/client/client'
import { showChunks } from '../chunk-list'
import { command, flag, text } from '../command'
import { all, connect, findCorpus } from '../connect'
import { Failure, misuse } from '../failure'
import { asker, corpus, service } from '../options'
import { field, fields } from '../output'

export const chunks = command(
  {
    usage: 'chunks <document> | edit <document> <chunk> [text]',
    verbs: ['edit'],
    summary: 'list the chunks of a document; correct the text of one, by its number or id',
    maxWords: 4,
    options: {
      ...service,
      ...corpus,
      ...asker,
      file: text('edit: a file with the new text'),
      remove: flag('edit: remove the text of the chunk from the document'),
    },
    examples: [
      'loam chunks handbook/refunds.md',
      "loam chunks edit handbook/refunds.md 0 'Refunds take five days.'",
      'loam chunks edit handbook/refunds.md 3 --file corrected.txt',
    ],
  },
  async ({ values: { file, remove, ...values }, positionals: [first, document, chunk, ...words], out, env }) => {
    if (!first) throw misuse('which document? loam chunks <document>')
    const held = await findCorpus(connect({ values, env }))
    if (first !== 'edit' || !document) return showChunks(held, first, out)
    if (!chunk) throw misuse('which chunk? loam chunks edit <document> <chunk> [text]; `loam chunks <document>` lists them')
    const given = [...words, ...(file === undefined ? [] : [file]), ...(remove ? ['remove'] : [])]
    if (given.length !== 1) throw misuse('give the new text: as one argument, with --file, or --remove')
    const by = remove ? '' : file === undefined ? (words[0] ?? '') : readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    const { id, ...which } = await findChunk(held, document, chunk)
    const corrected = await held.correctChunk(document, id, { text: by, ...which })
    out.result(corrected, {
      people: ({ job }) =>
        job ? `${field(document)} is being indexed again with that text (${job})` : `${field(document)} already has that text`,
      plain: ({ job }) => fields(document, id, job ?? ''),
    })
  },
)

/** A number is that of the list. */
async function findChunk(held: CorpusClient, document: string, chunk: string): Promise<{ readonly id: string; readonly ordinal?: number }> {
  if (!/^\d+$/.test(chunk)) return { id: chunk }
  const found = (await all((paging) => held.chunks(document, paging))).find(({ ordinal }) => ordinal === Number(chunk))
  if (!found) throw new Failure(`${field(document)} has no chunk ${chunk}`, { code: 'chunk_not_found' })
  return { id: found.chunk, ordinal: found.ordinal }
}
