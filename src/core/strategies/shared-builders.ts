/**
 * Builders that several strategies share, put together: whose settings they use, and which builders they follow. The builders themselves know no
 * strategy.
 */
import { decisionsBuilder } from '../builders/decisions'
import { entryVectorsBuilder } from '../builders/entry-vectors'
import { knowledgeBuilder } from '../builders/knowledge'
import { links } from '../builders/links'
import { mentions } from '../builders/mentions'
import { sensesBuilder } from '../builders/senses'
import { core } from './cluerag/core'
import { beginsByVectors } from './cluerag/settings'

/** How much a model reads is a setting of KET-RAG, whichever other strategy walks the relations. */
export const knowledge = knowledgeBuilder((settings) => settings.ketrag)

/** Builders that write mentions or relations by name. */
export const nameWriters: readonly string[] = [links, mentions, core, knowledge].map((one) => one.name)

export const senses = sensesBuilder(nameWriters)

/** People's decisions on names and relations come last. */
export const decisions = decisionsBuilder([...nameWriters, senses.name])

/** Units and names as entry points are a setting of Clue-RAG, whichever other strategy begins from them. */
export const entryVectors = entryVectorsBuilder([...nameWriters, senses.name, decisions.name], beginsByVectors)
