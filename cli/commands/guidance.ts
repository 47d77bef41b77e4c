/**
 * `loam entities guidance`: what the model that reads the texts is told, shown, or given as a JSON file of `guidance` and `examples`; what the file leaves
 * out stays. `--propose`: what it might be told, as a file to look through and to set afterwards. Plain: guidance, then example, its document, its
 * entities and its relations.
 */
import type { CorpusClient, GuidanceProposal } from '../../src/client/client'
import { misuse } from '../failure'
import { readJson, writeNewJson } from '../json-file'
import { fields, type Output } from '../output'

const USAGE = 'usage: loam entities guidance [file.json | none], or loam entities guidance --propose [file.json]'
const NONE = { guidance: null, examples: null } as const

interface Guidance {
  readonly guidance?: string | null
  readonly examples?: readonly Example[] | null
}

type Example = Omit<GuidanceProposal['examples'][number], 'document'> & { readonly document?: string }

interface Asked {
  readonly propose?: boolean | undefined
  readonly by?: string | undefined
}

export async function guidance(
  words: readonly string[],
  { propose, by }: Asked,
  corpus: () => Promise<CorpusClient>,
  out: Output,
): Promise<void> {
  const [file, ...more] = words
  if (more.length > 0 || by !== undefined) throw misuse(USAGE)
  if (propose) return proposed(await corpus(), file, out)
  const given = file === undefined ? undefined : file === 'none' ? NONE : guidanceIn(file)
  const named = await corpus()
  const shown = given === undefined ? await named.info() : await named.create({ settings: { extraction: given } })
  const { extraction = {} } = shown.settings as { readonly extraction?: Guidance }
  const set = { guidance: extraction.guidance ?? null, examples: extraction.examples ?? null }
  out.result(set, {
    people: (one) => lines(one).join('\n') || 'The corpus has no guidance and no examples.',
    plain: (one) => lines(one).join('\n'),
  })
}

async function proposed(corpus: CorpusClient, file: string | undefined, out: Output): Promise<void> {
  const proposal = await corpus.proposeGuidance()
  const { guidance, examples } = proposal
  const isEmpty = guidance === null && examples.length === 0
  if (file !== undefined && !isEmpty) writeNewJson(file, { ...(guidance === null ? {} : { guidance }), examples })
  const set =
    file === undefined
      ? 'loam entities guidance --propose guidance.json writes it into a file.'
      : `Edit it, then: loam entities guidance ${file}`
  out.result(proposal, {
    people: ({ sample, dropped, usage }) => {
      const from = `${sample.passages} passages of ${sample.documents} documents`
      const cost = `${usage.in + usage.out} tokens were spent.`
      if (isEmpty) return `Nothing to propose from ${from}. ${cost}`
      const left = dropped.examples > 0 ? ` Examples left out because too little of them was right: ${dropped.examples}.` : ''
      return [`By the text model, from ${from}:`, ...lines(proposal), `${cost}${left} Nothing is set. ${set}`].join('\n')
    },
    plain: (one) => lines(one).join('\n'),
  })
}

function guidanceIn(file: string): Guidance {
  const read: unknown = readJson(file)
  if (typeof read !== 'object' || read === null || !('guidance' in read || 'examples' in read))
    throw misuse(`"${file}" holds neither "guidance" nor "examples"`)
  return read as Guidance // the service checks it, and names what is wrong
}

function lines({ guidance, examples }: Guidance): readonly string[] {
  return [
    ...(guidance ? [fields('guidance', guidance)] : []),
    ...(examples ?? []).map(({ text, document, entities, relations }) =>
      fields(
        'example',
        document ?? '',
        text,
        entities.map(({ name, type }) => `${name} (${type})`).join('; '),
        relations.map(({ source, target }) => `${source} > ${target}`).join('; '),
      ),
    ),
  ]
}
