/**
 * What a model is asked while a corpus is indexed. Units follow Clue-RAG (knowledge units without pronouns), entities and relations follow
 * KET-RAG and ArchRAG, reports ArchRAG; one JSON reply each. Changing a word here changes the replies: `PROMPTS` (core/prompt-version.ts)
 * must change with it, since cached replies are stored with it. Document text appears only inside the fence.
 */
import { NAMES_BYTES, replyRoom } from '../core/cost'
import { surelyIn } from '../core/language/detect'
import type { Ontology } from '../core/ontology'
import type { Brief, WrittenBrief } from '../core/strategy'
import { entities } from '../core/text/entities'
import { LANGUAGES } from '../core/text/languages'
import { sentences } from '../core/text/sentences'
import { tokenBound } from '../core/text/token-bound'
import type { Message, PromptForm } from '../ports/models'
import { fenceTexts } from './fence'
import { descriptionLanguage, guidanceRules } from './guidance-prompt'
import { ontologyRules, ontologySchemas } from './ontology-prompt'
import { exampleTurns } from './prompt-examples'
import { clipToTokens } from './windows'
import { workedTurns } from './worked-turns'

const NAMES = 200 // tokens of names that rules find
const NAMES_SHOWN = 'Names in it, as far as rules see: '

export interface TaskPrompt {
  readonly messages: readonly Message[]
  /** Tokens the reply may have. */
  readonly tokens: number
  readonly schema?: unknown
}

const ROLE = {
  segment: 'The material is a group of related passages. Summarise what they say together.',
  entity: 'The material is a list of descriptions of one thing. Merge them into one description that keeps every distinct fact.',
  label: 'The material is a list of example texts that share a label. Describe in a few sentences what such texts are about.',
} as const

/** `hint`: why the previous reply was unusable. */
export function taskPrompt(brief: WrittenBrief, hint = '', form: PromptForm = 'full'): TaskPrompt {
  switch (brief.kind) {
    case 'summarize':
      return summarize(brief, hint)
    case 'report':
      return report(brief, hint)
    case 'extract':
      return extract(brief, hint, form)
  }
}

/** What a model was given to read. */
export function materialOf(brief: WrittenBrief): string {
  return brief.kind === 'extract'
    ? `${brief.name}\n${brief.text}`
    : [brief.kind === 'summarize' ? brief.subject : '', ...brief.texts].join('\n')
}

/**
 * Named if known: a small model follows a name better than a rule. Naming one more does not make it another prompt: what was read without
 * it stays valid.
 */
function languageRule(brief: WrittenBrief): string {
  const language = surelyIn(materialOf(brief))
  return language ? `Write in ${LANGUAGES[language]}, the language of the material.` : 'Write in the language of the material.'
}

function summarize(brief: Extract<Brief, { kind: 'summarize' }>, hint: string): TaskPrompt {
  const { law, block } = fenceTexts([...subject(brief.subject), ...brief.texts])
  const task = `${ROLE[brief.role]} At most ${brief.tokens} tokens. Keep names, numbers and dates. State only what the material states. No preamble.`
  return { messages: conversation([task, languageRule(brief), law], block, hint), tokens: replyRoom(brief) }
}

function report(brief: Extract<Brief, { kind: 'report' }>, hint: string): TaskPrompt {
  const { law, block } = fenceTexts(brief.texts)
  const task =
    'The material describes a community of things and their relations, or of smaller communities. Write a report on it as JSON: ' +
    '"title" (short, with the names that matter most), "summary" (what the community is and how its parts relate), "rating" (0 to 10, how ' +
    'important it is for understanding the whole), "findings" (up to 5, each with a one-sentence "summary" and an "explanation"). ' +
    `At most ${brief.tokens} tokens. State only what the material states.`
  return {
    messages: conversation([task, languageRule(brief), law], block, hint),
    tokens: replyRoom(brief),
    schema: REPORT,
  }
}

function extract(brief: Extract<Brief, { kind: 'extract' }>, hint: string, form: PromptForm): TaskPrompt {
  const { units, graph } = brief.want
  const { law, block } = fenceTexts([...subject(brief.name), brief.text, ...(graph ? namesShown(brief) : [])])
  const { UNITS, GRAPH } = form === 'short' ? SHORT : FULL
  const { types = [], ontology } = brief
  const own = units ? undefined : brief.examples // they have no units
  const task = [
    'Read the material and reply with JSON.',
    ...(units ? [UNITS] : []),
    ...(graph ? [GRAPH, ...only(types, !own), ...(ontology ? ontologyRules(ontology, form, !own) : []), ...guidanceRules(brief)] : []),
  ].join('\n')
  const described = graph ? descriptionLanguage(brief) : []
  const language = described.length > 0 && !units ? described : [languageRule(brief), ...described]
  const [system, ...asked] = conversation([task, ...language, law], block, hint)
  return {
    messages: [
      ...(system ? [system] : []),
      ...(own
        ? workedTurns(own, form, ontology)
        : exampleTurns(brief.want, form === 'short' ? 1 : 2, (ontology?.relations.length ?? 0) > 0)),
      ...asked,
    ],
    tokens: replyRoom(brief),
    schema: extraction(brief.want, types, ontology),
  }
}

/** Asks a model what it has missed. `said`: the accepted part of its replies. */
export function gleaningPrompt(brief: Extract<Brief, { kind: 'extract' }>, reply: string): TaskPrompt {
  const { messages, ...form } = extract({ ...brief, want: { units: false, graph: true } }, '', 'full')
  const task =
    'Entities and relations of the material are missing in your reply. Reply in the same form with those that are missing, and with no other; ' +
    'if none is missing, with empty lists. A relation may lead to an entity you have named before.'
  return { ...form, messages: [...messages, { role: 'assistant', content: reply }, { role: 'user', content: task }] }
}

const FULL = {
  UNITS:
    '"knowledge_units": statements that together say everything the material says. Split compound sentences into simple ones and keep their ' +
    'wording. Put an extra description of a named thing into a statement of its own. Replace every pronoun by the name it stands for, ' +
    'also in possessives, so that each statement is understood alone.',
  GRAPH:
    '"entities": all people, organisations, places, events, works, products and concepts the material names, each with "name" (spelled exactly ' +
    'as in the material), "type" (one word) and "description" (a few words on what it is).\n' +
    '"relations": every pair of those entities that a sentence of the material relates, one for each fact, each with "source" and "target" (names from the list), "description" ' +
    '(how they are related) and "strength" (1 to 10).',
} as const
const SHORT = {
  UNITS: '"knowledge_units": every fact of the material as a short sentence of its own, with names instead of pronouns.',
  GRAPH:
    '"entities": everything the material names, each with "name", "type" (one word) and "description" (a few words).\n' +
    '"relations": which of them belong together, each with "source", "target", "description" and "strength" (1 to 10).',
} as const

/** The kinds of entities that a corpus asks for, if it names any. */
function only(types: readonly string[], isOurs: boolean): readonly string[] {
  return types.length === 0
    ? []
    : [
        `Name only entities of these types, and write the type in these words: ${types.join(', ')}.${isOurs ? ' The examples name others.' : ''}`,
      ]
}

/**
 * Names that rules find, inside the fence: a small model names little unprompted, but adopts what it is shown. The first word of a sentence
 * may be any word.
 */
function namesShown({ name, text }: Extract<Brief, { kind: 'extract' }>): readonly string[] {
  const openings = new Set(sentences(text).map(({ start }) => start))
  const found = new Map<string, string>()
  let end = 0
  for (const one of entities(text)) {
    if (one.end <= end) continue // part of a longer one
    end = one.end
    const isAnyWord = openings.has(one.start) && !/[\s\p{N}]/u.test(one.surface)
    if (!isAnyWord && !found.has(one.key)) found.set(one.key, one.surface)
  }
  const names = [...new Set([name, ...found.values()])].filter((one) => one !== '')
  const shown = withinBytes(names)
  return found.size === 0 || shown === '' ? [] : [NAMES_SHOWN + clipToTokens(shown, NAMES)]
}

/** As many as there is room for: the reservation for a prompt counts bytes. */
function withinBytes(names: readonly string[]): string {
  let shown = ''
  for (const one of names) {
    const longer = shown === '' ? one : `${shown}; ${one}`
    if (tokenBound(NAMES_SHOWN + longer) <= NAMES_BYTES) shown = longer
  }
  return shown
}

function subject(name: string): readonly string[] {
  return name === '' ? [] : [`About: ${name}`]
}

function conversation(law: readonly string[], block: string, hint: string): readonly Message[] {
  const again = hint === '' ? [] : [`Your reply before could not be used: ${hint}. Follow the form exactly.`]
  return [
    { role: 'system', content: law.join('\n') },
    { role: 'user', content: [block, ...again].join('\n\n') },
  ]
}

const TEXT = { type: 'string' } as const
const REPORT = object({
  title: TEXT,
  summary: TEXT,
  rating: { type: 'number' },
  findings: { type: 'array', items: object({ summary: TEXT, explanation: TEXT }) },
})

/** `types`: the types that an entity may have; none: any. */
function extraction(want: { readonly units: boolean; readonly graph: boolean }, types: readonly string[], ontology?: Ontology): unknown {
  const { type = types.length > 0 ? { ...TEXT, enum: types } : TEXT, relation } = ontology ? ontologySchemas(ontology) : {}
  const kind = relation === undefined ? {} : { relation }
  return object({
    ...(want.units ? { knowledge_units: { type: 'array', items: TEXT } } : {}),
    ...(want.graph
      ? {
          entities: { type: 'array', items: object({ name: TEXT, type, description: TEXT }) },
          relations: {
            type: 'array',
            items: object({ source: TEXT, target: TEXT, ...kind, description: TEXT, strength: { type: 'number' } }),
          },
        }
      : {}),
  })
}

function object(properties: { readonly [key: string]: unknown }): unknown {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}
