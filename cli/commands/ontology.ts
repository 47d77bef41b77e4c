/**
 * `loam entities ontology`: what kinds of things and relations a corpus has, shown, or given as a JSON file. Plain: type or relation, its name, what it is a kind of or
 * between what. `--propose`: what they might be, as a file to look through and to set afterwards. Plain: type or relation, its name, how often, examples.
 */
import type { CorpusClient, OntologyProposal } from '../../src/client/client'
import { misuse } from '../failure'
import { readJson, writeNewJson } from '../json-file'
import { fields, type Output } from '../output'

const USAGE = 'usage: loam entities ontology [file.json | none], or loam entities ontology --propose [file.json]'

interface Ontology {
  readonly mode: string
  readonly types: readonly { readonly name: string; readonly parent?: string }[]
  readonly relations: readonly { readonly name: string; readonly subjects?: readonly string[]; readonly objects?: readonly string[] }[]
}

interface Asked {
  readonly propose?: boolean | undefined
  readonly by?: string | undefined
}

export async function ontology(
  words: readonly string[],
  { propose, by }: Asked,
  corpus: () => Promise<CorpusClient>,
  out: Output,
): Promise<void> {
  const [file, ...more] = words
  if (more.length > 0 || (by !== undefined && !propose)) throw misuse(USAGE)
  if (propose) return proposed(await corpus(), { file, by }, out)
  const given = file === undefined ? undefined : file === 'none' ? null : readJson(file)
  const named = await corpus()
  const shown = given === undefined ? await named.info() : await named.create({ settings: { extraction: { ontology: given } } })
  const { extraction } = shown.settings as { readonly extraction?: { readonly ontology?: Ontology | null } }
  out.result(extraction?.ontology ?? null, {
    people: (one) => (one === null ? 'The corpus has no ontology.' : `${one.mode}\n${lines(one).join('\n')}`),
    plain: (one) => (one === null ? '' : lines(one).join('\n')),
  })
}

async function proposed(
  corpus: CorpusClient,
  { file, by }: { readonly file?: string | undefined; readonly by?: string | undefined },
  out: Output,
) {
  const proposal = await corpus.proposeOntology(by === undefined ? {} : { by: by === 'counts' ? 'counts' : 'model' })
  if (file !== undefined && proposal.ontology) writeNewJson(file, proposal.ontology)
  const set =
    file === undefined
      ? 'loam entities ontology --propose kinds.json writes it into a file.'
      : `Edit it, then: loam entities ontology ${file}`
  out.result(proposal, {
    people: (one) =>
      one.ontology === null
        ? `Nothing to propose from ${one.sample.chunks} chunks of ${one.sample.documents} documents.`
        : [
            `${one.by === 'model' ? 'By the text model' : 'By counting'}, from ${one.sample.chunks} chunks of ${one.sample.documents} documents:`,
            ...restsOn(one),
            `Nothing is set. ${set}`,
          ].join('\n'),
    plain: (one) => restsOn(one).join('\n'),
  })
}

function restsOn({ types, relations }: OntologyProposal): readonly string[] {
  return [
    ...types.map(({ name, count, examples }) => fields('type', name, count, examples.join('; '))),
    ...relations.map(({ name, count, examples }) =>
      fields('relation', name, count, examples.map(({ subject, object }) => `${subject} > ${object}`).join('; ')),
    ),
  ]
}

function lines({ types, relations }: Ontology): readonly string[] {
  const between = (ends: readonly string[] = []): string => ends.join(',') || '*'
  return [
    ...types.map(({ name, parent }) => fields('type', name, parent ?? '')),
    ...relations.map(({ name, subjects, objects }) => fields('relation', name, `${between(subjects)} > ${between(objects)}`)),
  ]
}
