/** A picture of part of the graph, a list of the same nodes, and what is known of the one looked at. */
import { useMemo, useState } from 'preact/hooks'
import { type Place, SourcePanel } from '../ask/source-panel'
import type { TabProps } from '../pages/tab-props'
import { go } from '../route'
import { useLoad } from '../shared/load'
import { Busy, Failure } from '../shared/notices'
import { clip } from '../shared/numbers'
import { aroundNode, aroundQuestion } from './gather'
import { Legend } from './legend'
import { NodeDetails } from './node-details'
import { NodeList } from './node-list'
import type { Picture } from './picture'
import { Stage } from './stage'
import { wholeGraph } from './whole'

const DEPTHS = [1, 2, 3] as const
const LIMITS = [50, 150, 400, 1000] as const

export function GraphView({ corpus, query }: TabProps) {
  const name = corpus.corpus
  const [depth, reach] = useState(query.get('node') === null ? 2 : 1)
  const [limit, allow] = useState(150)
  const [selected, select] = useState<string | null>(query.get('node'))
  const [place, open] = useState<Place | null>(null)
  const [node, question, whole] = [query.get('node'), query.get('q'), query.get('all') !== null]
  const { value, fault, loading, again } = useLoad(
    (signal): Promise<Picture> => {
      const wanted = { corpus: name, version: corpus.version, signal }
      if (whole) return wholeGraph(name, signal)
      return question ? aroundQuestion(wanted, question, query.get('s') ?? 'auto') : aroundNode(wanted, node, depth, limit)
    },
    [name, corpus.version, node, question, whole, depth, limit],
  )
  const spot = useMemo(() => value?.nodes.find(({ id }) => id === selected) ?? null, [value, selected])
  const centre = (id: string) => {
    select(id)
    go(['c', name, 'explore'], { node: id })
  }
  return (
    <>
      <div class="row wrap tools">
        <span class="grow">{titleOf(node, question, whole, value)}</span>
        {!whole && !question && (
          <>
            <Choice name="Depth" value={depth} of={DEPTHS} choose={reach} />
            <Choice name="At most" value={limit} of={LIMITS} choose={allow} />
          </>
        )}
        {(node !== null || question !== null || whole) && (
          <button type="button" onClick={() => go(['c', name, 'explore'])}>
            From the top
          </button>
        )}
        {!whole && (
          <button type="button" onClick={() => go(['c', name, 'explore'], { all: 1 })}>
            Whole graph
          </button>
        )}
      </div>
      <Failure fault={fault} again={again} />
      {loading && <Busy what="Gathering the graph" />}
      {value && (
        <div class="explorer" aria-busy={loading}>
          <div>
            <Stage picture={value} selected={selected} select={select} />
            <Legend picture={value} />
            {value.note && <p class="fine">{value.note}</p>}
          </div>
          <aside aria-label="Nodes">
            {spot && <NodeDetails corpus={name} spot={spot} picture={value} select={select} centre={centre} open={open} />}
            <NodeList picture={value} selected={selected} select={select} />
          </aside>
        </div>
      )}
      <SourcePanel corpus={name} place={place} close={() => open(null)} />
    </>
  )
}

function titleOf(node: string | null, question: string | null, whole: boolean, picture: Picture | undefined): string {
  if (whole) return 'The whole graph'
  if (question) return `Around the question “${clip(question, 60)}”`
  if (node === null) return 'From the top'
  return `Around “${clip(picture?.nodes.find(({ id }) => id === node)?.text ?? node, 60)}”`
}

interface ChoiceProps<T extends number> {
  readonly name: string
  readonly value: number
  readonly of: readonly T[]
  readonly choose: (value: number) => void
}

function Choice<T extends number>({ name, value, of, choose }: ChoiceProps<T>) {
  return (
    <label class="inline">
      {name}
      <select value={value} onChange={(event) => choose(Number(event.currentTarget.value))}>
        {of.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </label>
  )
}
