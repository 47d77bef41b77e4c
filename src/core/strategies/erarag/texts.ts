/**
 * What a summary is written from, and how. The input hash covers everything the text depends on: a summary whose input has not changed is not
 * written again, and a child that comes out unchanged stops the cascade.
 */
import { ownText } from '../../graph/parts'
import type { GraphReader } from '../../graph/reader'
import type { GraphNode } from '../../graph/types'
import { fingerprint, kindOf } from '../../ids'
import { keyOfRole, type Settings } from '../../settings'
import { type Material, materialOf, summarize } from '../../text/extract'
import { segmentOf } from './tree'

const FORMAT = 1 // version of how a text is made from its members' texts; another number makes every summary again when it is next touched

/** Hash of everything that the summary's text depends on; members in key order. A chunk's id stands for its text. */
export function inputOf(graph: GraphReader, node: GraphNode, settings: Settings): string {
  const parts = segmentOf(node).members.map((id) => (kindOf(id) === 'chunk' ? id : fingerprint(graph.node(id)?.text ?? '')))
  return fingerprint(
    'summary',
    FORMAT,
    settings.models,
    settings.writer ? 'written' : 'extracted',
    settings.erarag.summary,
    ...keyOfRole(settings, 'summarise'),
    ...parts,
  )
}

export function embedInput(text: string, settings: Settings): string {
  return fingerprint('embed', settings.models, text)
}

/** The best sentences of the members, without a model. */
export function extractive(graph: GraphReader, node: GraphNode, settings: Settings): string {
  const { members } = segmentOf(node)
  graph.preload?.({ sentences: members.filter((id) => kindOf(id) === 'chunk') })
  return summarize(
    members.flatMap((id) => materialIn(graph, id) ?? []),
    settings.erarag.summary,
  )
}

function materialIn(graph: GraphReader, id: string): Material | undefined {
  const terms = kindOf(id) === 'chunk' ? graph.sentences?.(id) : undefined
  let read: string | undefined
  if (terms) return { terms, text: () => (read ??= textOf(graph, id)) }
  const text = textOf(graph, id)
  return text === '' ? undefined : materialOf(text, true)
}

/** Members' texts in key order: for a chunk, what no chunk before it holds; for a summary, its text. A model is given the titles too. */
export function memberTexts(graph: GraphReader, node: GraphNode, titled: boolean): string[] {
  return segmentOf(node).members.flatMap((id) => {
    const text = textOf(graph, id)
    if (text === '') return []
    const title = titled && kindOf(id) === 'chunk' ? graph.chunk(id)?.title : undefined
    return [title ? `${title}\n${text}` : text]
  })
}

function textOf(graph: GraphReader, id: string): string {
  if (kindOf(id) !== 'chunk') return graph.node(id)?.text ?? ''
  const chunk = graph.chunk(id)
  return chunk ? ownText(chunk) : ''
}
