/** `loam entities add | merge | split | rename | hide | pin | relate | unrelate | decisions | undo`: what people decide about entities and relations. */
import type { AddedEntity, CorpusClient, Decision, DecisionStatus } from '../../src/client/client'
import { all } from '../connect'
import { misuse } from '../failure'
import { findEntity } from '../find-entity'
import { field, fields, type Output } from '../output'

export const VERBS = ['add', 'merge', 'split', 'rename', 'hide', 'pin', 'relate', 'unrelate', 'decisions', 'undo'] as const
type Verb = (typeof VERBS)[number]

export function isVerb(word: string | undefined): word is Verb {
  return VERBS.some((one) => one === word)
}

/** The usage of each. */
const USAGE: { readonly [verb in Verb]: string } = {
  add: '<name> [document …]',
  merge: '<entity> <the other, which stays>',
  split: '<entity> <name of the new one> <document …>',
  rename: '<entity> <name>',
  hide: '<entity>',
  pin: '<entity>',
  relate: '<entity> <entity> <what relates them>',
  unrelate: '<entity> <entity>',
  decisions: '',
  undo: '<number>',
}

/** What is said about an added entity. */
export interface About {
  readonly type?: string | undefined
  readonly description?: string | undefined
}

export async function decide(
  verb: Verb,
  words: readonly string[],
  { type, description }: About,
  corpus: () => Promise<CorpusClient>,
  out: Output,
): Promise<void> {
  const [one = '', two = '', ...more] = words
  const wanted = USAGE[verb].match(/<[^>]+>/g)?.length ?? 0
  const isOpen = verb === 'split' || verb === 'add' // several documents
  if (words.length < wanted || (!isOpen && words.length > wanted)) throw misuse(`usage: loam entities ${verb} ${USAGE[verb]}`.trimEnd())
  if (verb === 'undo' && !/^\d{1,9}$/.test(one))
    throw misuse(`"${field(one)}" is not the number of a decision; loam entities decisions lists them`)
  const graph = await corpus()
  const { decisions } = graph
  const entity = (text: string): Promise<string> => findEntity(graph, text)
  switch (verb) {
    case 'add': {
      const documents = words.slice(1)
      const about = { ...(type ? { type } : {}), ...(description ? { description } : {}) }
      return show(verb, await decisions.add({ name: one, ...about, ...(documents.length > 0 ? { documents } : {}) }), out)
    }
    case 'decisions':
      return list(graph, out)
    case 'undo':
      return show(verb, await decisions.undo(Number(one)), out)
    case 'merge':
      return show(verb, await decisions.merge(await entity(one), await entity(two)), out)
    case 'split':
      return show(verb, await decisions.split(await entity(one), { name: two, documents: more }), out)
    case 'rename':
      return show(verb, await decisions.rename(await entity(one), two), out)
    case 'hide':
      return show(verb, await decisions.hide(await entity(one)), out)
    case 'pin':
      return show(verb, await decisions.pin(await entity(one)), out)
    case 'relate':
      return show(
        verb,
        await decisions.addRelation({ source: await entity(one), target: await entity(two), description: more.join(' ') }),
        out,
      )
    case 'unrelate':
      return show(verb, await decisions.removeRelation(await entity(one), await entity(two)), out)
  }
}

function show(verb: Verb, decided: DecisionStatus | AddedEntity, out: Output): void {
  out.result(decided, {
    people: ({ status, decision, skipped_partitions: skipped = [] }) => {
      const later = skipped.length > 0 ? ` (partitions ${skipped.join(', ')} did not answer, and follow when they do)` : ''
      if (verb === 'undo') return `decision ${decision} is undone${later}`
      if (status === 'unchanged')
        return decision === null ? 'nothing to do: that is already so' : `nothing to do: that is already so, by decision ${decision}`
      return `done${later}; loam entities undo ${decision} undoes it`
    },
    plain: (one) => fields(verb, one.status, one.decision ?? '', ...('entity' in one ? [one.entity] : [])),
  })
}

async function list(corpus: CorpusClient, out: Output): Promise<void> {
  out.result(await all((paging) => corpus.decisions.list(paging)), {
    people: (rows) => rows.map(said).join('\n') || 'No decisions about entities yet.',
    plain: (rows) =>
      rows.map(({ n, op, name, other_name: other, text, by, at }) => fields(n, op, name, other ?? '', text ?? '', by, at)).join('\n'),
  })
}

function said({ n, op, name, other_name: other, text, documents, by, at }: Decision): string {
  const one = field(name) || 'a name that is no longer in any text'
  const two = field(other ?? '') || 'a name that is no longer in any text'
  const what = {
    add: `${field(text ?? '')} is an entity${documents ? ` in ${documents.map(field).join(', ')}` : ''}`,
    merge: `${one} is ${two}`,
    split: `${one} is ${field(text ?? '')} in ${(documents ?? []).map(field).join(', ')}`,
    rename: `${one} is called ${field(text ?? '')}`,
    hide: `${one} is hidden`,
    pin: `${one} is pinned`,
    relate: `${one} ${field(text ?? '')} ${two}`,
    unrelate: `${one} and ${two} are not related`,
  }[op]
  return `${n}  ${what}  (${field(by)}, ${at})`
}
