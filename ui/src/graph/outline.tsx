/** A tree of segments or communities as headings that open, by mouse or by Enter, each with a count of what is below. */
import { useState } from 'preact/hooks'
import { to } from '../route'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Busy, Failure } from '../shared/notices'
import { clip, plural } from '../shared/numbers'
import { nameOf } from './namesakes'
import type { Branch } from './segment-tree'

const REPORT = 900 // letters of a summary
const BELOW = 100 // nodes around a branch that are read
const BEGINNING = 110 // letters of a chunk

/** The leaves at the bottom. */
export interface Leaves {
  readonly one: string
  readonly many: string
  readonly kind: 'chunk' | 'entity'
}

interface Props {
  readonly corpus: string
  readonly branches: readonly Branch[]
  readonly leaves: Leaves
}

export function Outline({ corpus, branches, leaves }: Props) {
  return (
    <ul class="outline">
      {branches.map((branch) => (
        <li key={branch.id}>
          <Heading corpus={corpus} branch={branch} leaves={leaves} />
        </li>
      ))}
    </ul>
  )
}

function Heading({ corpus, branch, leaves }: Omit<Props, 'branches'> & { readonly branch: Branch }) {
  const [opened, see] = useState(false)
  const { id, name, text, children, leaves: below, unread } = branch
  return (
    <details onToggle={(event) => see(event.currentTarget.open)}>
      <summary>
        <span class="grow">{name.replace(/^[-*•]\s+/, '') || 'Not summarised yet'}</span>{' '}
        <span class="fine">
          {children.length > 0 && `${plural(children.length, 'part')}, `}
          {unread > 0 && `${plural(unread, children.length > 0 ? 'more' : 'part', children.length > 0 ? 'more' : 'parts')} not read, `}
          {plural(below, leaves.one, leaves.many)}
        </span>
      </summary>
      {opened && (
        <>
          <p class="fine" dir="auto">
            {clip(text.startsWith(`${name}\n`) ? text.slice(name.length) : text, REPORT) || <em>Its summary is not written yet.</em>}
          </p>
          <p class="fine">
            <a href={to(['c', corpus, 'explore'], { node: id })}>In the graph</a>
          </p>
          {children.length > 0 || unread > 0 ? (
            <Outline corpus={corpus} branches={children} leaves={leaves} />
          ) : (
            <Bottom corpus={corpus} id={id} leaves={leaves} />
          )}
        </>
      )}
    </details>
  )
}

/** Read when its branch is opened. */
function Bottom({ corpus, id, leaves: { kind, many } }: { readonly corpus: string; readonly id: string; readonly leaves: Leaves }) {
  const { value, fault, again } = useLoad(
    (signal) => corpusAt(corpus, signal).graph({ node: id, depth: kind === 'chunk' ? 2 : 1, limit: BELOW }),
    [corpus, id],
  )
  if (fault) return <Failure fault={fault} again={again} />
  if (!value) return <Busy />
  const members = new Set(value.edges.filter((edge) => edge.kind === 'member' && edge.target === id).map(({ source }) => source))
  const titles = new Map(value.nodes.map((node) => [node.id, node.text]))
  return (
    <ul class={kind === 'entity' ? 'plain row wrap chips' : 'leaves'} aria-label={`Its ${many}`}>
      {value.nodes
        .filter((node) => members.has(node.id) && node.kind === kind)
        .map((node) => {
          if (kind === 'entity') {
            return (
              <li key={node.id}>
                <a class="chip" href={to(['c', corpus, 'explore'], { node: node.id })}>
                  {nameOf(node)}
                </a>
              </li>
            )
          }
          const document = value.edges.find((edge) => edge.kind === 'contains' && edge.target === node.id)?.source
          return (
            <li key={node.id} class="fine" dir="auto">
              {clip(node.text, BEGINNING)} {document && <a href={to(['c', corpus, 'd', document])}>{titles.get(document) ?? document}</a>}
            </li>
          )
        })}
    </ul>
  )
}
