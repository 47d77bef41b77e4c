/** Settings as callers write them: strict, so an unknown name is an error. A strategy's part follows from the schema it declares. */
import { z } from 'zod'
import type { Json } from '../core/graph/types'
import { MAX_GUIDANCE } from '../core/guidance'
import { partOf, publicNames, whole, withoutDefault } from '../core/setting-fields'
import { type commonDefaults, MAX_REPLICAS, type ModelRole, modelRoles, type Settings } from '../core/settings'
import { declarations } from '../core/strategies/index'
import { objectPlaces } from '../platform-limits'
import { exact } from './exact'
import { languageSchema } from './languages'
import { ontologySchema } from './ontology'
import { storable } from './storable'
import { workedExamplesSchema } from './worked-examples'

const MAX_TYPES = 16
const MAX_MODEL = 200 // characters of an id
const MAX_KEPT = 7 * 86_400 // seconds
const MAX_EARLIER = 3650 // days
const MAX_TYPE = 32 // characters: a prompt with all of them stays within its reservation

const modelId = z.string().trim().min(1).max(MAX_MODEL)
type RoleFields = { readonly [role in ModelRole]: z.ZodOptional<z.ZodNullable<typeof modelId>> }

export const settingsSchema = exact({
  chunk_tokens: whole(64, 4000).optional(),
  chunk_overlap: whole(0, 1000).optional(),
  passage_tokens: whole(16, 500).optional(),
  chunk_method: z
    .enum(['length', 'topic'])
    .optional()
    .describe(
      'Where passages and chunks end, within their sizes. `length`, the default, fills them with whole sentences and paragraphs; `topic` ends them where the words change most (docs/configuration.md#where-chunks-end).',
    ),
  language: languageSchema
    .nullable()
    .optional()
    .describe(
      'The code of the language of documents that are too short to detect it; null: none. It applies to documents added from now on.',
    ),
  extraction: exact({
    gleanings: whole(0, 3).optional(),
    types: z
      .array(z.string().trim().min(1).max(MAX_TYPE))
      .max(MAX_TYPES)
      .optional()
      .describe('Types of entities a model should name, such as “person”; none: any.'),
    ontology: ontologySchema.nullable().optional(),
    guidance: z
      .string()
      .max(MAX_GUIDANCE)
      .transform((text) => storable(text).trim() || null)
      .nullable()
      .optional()
      .describe(
        'Your instructions to the model that reads texts, such as “Parts are named by number; treat vessel names as ships.” Null: none.',
      ),
    examples: workedExamplesSchema.nullable().optional(),
    language: languageSchema
      .nullable()
      .optional()
      .describe(
        'The code of the language in which it describes entities and relations; null: that of the text. Names stay as the text has them.',
      ),
    renewals: whole(0, 1000)
      .optional()
      .describe(
        'How many chunks that were read with older prompts, another ontology, other guidance or other examples are read again at a time, at most every five minutes; 0: none.',
      ),
  }).optional(),
  answers: exact({
    seconds: whole(0, MAX_KEPT)
      .optional()
      .describe(
        'How many seconds an answer is kept for others who ask the same with the same rights, while the corpus does not change. 0, the default: not at all.',
      ),
  }).optional(),
  pictures: exact({
    describe: z
      .boolean()
      .optional()
      .describe(
        'Have a model read pictures, and pages of PDFs that have a picture and no text, and index what it reads and describes (docs/formats.md). Off by default. This costs money.',
      ),
  }).optional(),
  recordings: exact({
    transcribe: z
      .boolean()
      .optional()
      .describe(
        'Send recordings, and the sound of videos, to a model and index what it hears, with its times (docs/formats.md). Off by default. This costs money.',
      ),
  }).optional(),
  earlier: exact({
    days: whole(0, MAX_EARLIER)
      .optional()
      .describe(
        'How many days Loam keeps what a statement said before a new version of its document changed it, and mentions it beside answers. 30 by default; 0: not at all, and what is kept is deleted at once (docs/time.md).',
      ),
  }).optional(),
  files: exact({
    keep: z
      .boolean()
      .optional()
      .describe(
        'Keep the PDFs that documents were read from, so that their pages can be shown (docs/formats.md). On by default; when you switch it off, those that are kept are deleted.',
      ),
  }).optional(),
  replicas: exact({
    count: whole(0, MAX_REPLICAS)
      .optional()
      .describe(
        'Replicas that follow the corpus and answer questions too, at most: others join when those in use are busy. 0, the default: none (docs/replicas.md).',
      ),
    least: whole(0, MAX_REPLICAS)
      .nullable()
      .optional()
      .describe('How many of them take part even if there is little to do. null, the default: one, or one for each of `locations`.'),
    locations: z
      .array(z.enum(objectPlaces.locationHints))
      .max(MAX_REPLICAS)
      .optional()
      .describe(
        'Where each replica is created, in order. If you name none, it is created near whoever first asks it. It does not move afterwards.',
      ),
  }).optional(),
  models: exact(Object.fromEntries(modelRoles.map((role) => [role, modelId.nullable().optional()])) as RoleFields)
    .optional()
    .describe(
      'The corpus’s own models by role, from `choices` of `GET /v1/models`; null: the deployment’s. A new model for `extract` reads new documents and, little by little, those already read, as after a change of the ontology. One for `summarise` or `describe` builds a new graph. The others take effect at once.',
    ),
  ...parts(),
})

export type SettingsInput = z.output<typeof settingsSchema>

type Part = z.ZodOptional<z.ZodType<{ readonly [setting: string]: Json }>>
type Parts = { readonly [strategy in Exclude<keyof Settings, keyof typeof commonDefaults>]: Part }

function parts(): Parts {
  const all = declarations.flatMap(({ name, settings, removed }) =>
    settings ? [[name, written(settings, removed?.settings).optional()] as const] : [],
  )
  return Object.fromEntries(all) as unknown as Parts
}

/** The core's name of a setting and the caller's. */
export function publicName(name: string, field?: z.core.$ZodType): string {
  const named = field && publicNames.get(field)
  return named?.name ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export function formerName(field: z.core.$ZodType | undefined): string | undefined {
  return field && publicNames.get(field)?.formerly
}

/** Every field may be left out, and then stays as it is. A renamed field may be given under its former name, but not under both. */
function written(part: z.ZodObject, removed: readonly string[] = []): z.ZodObject {
  const fields = Object.entries(part.shape).flatMap(([name, field]) => {
    const inner = partOf(field)
    const schema = (inner ? written(inner, within(removed, name)) : (withoutDefault(field) as z.ZodType)).optional()
    const [now, before] = [publicName(name, field), formerName(field)]
    const former = schema.meta({ deprecated: true, description: `The former name of \`${now}\`, accepted until the next release.` })
    return before === undefined ? [[now, schema] as const] : [[now, schema] as const, [before, former] as const]
  })
  const renamed = Object.entries(part.shape).flatMap(([name, field]) => {
    const before = formerName(field)
    return before === undefined ? [] : [{ now: publicName(name, field), before }]
  })
  return exact(Object.fromEntries(fields), removed).superRefine((given, context) => {
    for (const { now, before } of renamed)
      if (given[now] !== undefined && given[before] !== undefined)
        context.addIssue({ code: 'custom', path: [before], message: `is the former name of \`${now}\`, which is given as well` })
  })
}

/** `reinforce` of `learning.reinforce`, within `learning`. */
function within(names: readonly string[], part: string): readonly string[] {
  return names.flatMap((name) => (name.startsWith(`${part}.`) ? [name.slice(part.length + 1)] : []))
}
