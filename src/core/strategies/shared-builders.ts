/** Builders that several strategies share, put together: whose settings they have, and whom they follow. The builders themselves know no strategy. */
import { decisionsBuilder } from '../builders/decisions'
import { entryVectorsBuilder } from '../builders/entry-vectors'
import { knowledgeBuilder } from '../builders/knowledge'
import { links } from '../builders/links'
import { mentions } from '../builders/mentions'
import { sensesBuilder } from '../builders/senses'
import { core } from './cluerag/core'
import { beginsByVectors } from './cluerag/settings'

/** How much a model reads is KET-RAG's setting, whichever other strategy walks the relations. */
export const knowledge = knowledgeBuilder((settings) => settings.ketrag)

/** Builders that write mentions or relations by name. */
export const nameWriters: readonly string[] = [links, mentions, core, knowledge].map((one) => one.name)

export const senses = sensesBuilder(nameWriters)

/** People's word on names and relations comes last. */
export const decisions = decisionsBuilder([...nameWriters, senses.name])

/** Units and names as entry points are Clue-RAG's setting, whoever else begins by them. */
export const entryVectors = entryVectorsBuilder([...nameWriters, senses.name, decisions.name], beginsByVectors)
