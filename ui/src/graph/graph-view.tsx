/** Part of the graph around a name, a question or a node: a drawing that grows where it is opened, a list of the same nodes, and details of the selected one. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Place, SourcePanel } from '../ask/source-panel'
import type { TabProps } from '../pages/tab-props'
import { go, to } from '../route'
import { fetchAhead, LazyPart, lazy } from '../shared/lazy-part'
import { useLoad } from '../shared/load'
import { Busy, Failure } from '../shared/notices'
import { clip } from '../shared/numbers'
import { EdgeDetails } from './edge-details'
import { aroundNode, aroundQuestion } from './gather'
import { Legend } from './legend'
import { nameOf } from './namesakes'
import { NodeDetails } from './node-details'
import { NodeList } from './node-list'
import { edgeKey, mergePictures, type Picture, type PictureEdge } from './picture'
import { Beginnings, StartField } from './start-field'
import { wholeGraph } from './whole'

const stage = lazy(() => import('./stage').then((module) => module.Stage)) // with the library that draws
const AROUND = 20 // names around the starting point
const MORE = 10 // names around a node that is opened

export function GraphView({ corpus, query }: TabProps) {
  const { corpus: name, version } = corpus
  const [node, question, strategy, whole] = [query.get('node'), query.get('q'), query.get('s') ?? 'auto', query.get('all') !== null]
  const start = node !== null || question !== null || whole ? JSON.stringify([version, node, question, whole]) : null
  useEffect(() => fetchAhead(stage), [])
  return (
    <>
      <StartField corpus={name} version={version} />
      {start === null ? (
        <Beginnings corpus={name} version={version} />
      ) : (
        <Around key={start} corpus={name} node={node} question={question} strategy={strategy} />
      )}
    </>
  )
}

interface AroundProps {
  readonly corpus: string
  /** Neither a node nor a question: the whole graph. */
  readonly node: string | null
  readonly question: string | null
  readonly strategy: string
}

const NONE: ReadonlySet<string> = new Set()

function Around({ corpus, node, question, strategy }: AroundProps) {
  const [more, add] = useState<readonly Picture[]>([])
  const [selected, select] = useState<string | null>(node)
  const [looked, look] = useState<string | null>(null)
  const [hidden, hide] = useState(NONE)
  const [place, open] = useState<Place | null>(null)
  const [opening, failing] = useState<unknown>()
  const opened = useRef(new Set(node === null ? [] : [node]))
  const isWhole = node === null && question === null
  const { value, fault, loading, again } = useLoad(
    (signal): Promise<Picture> => {
      if (node !== null) return aroundNode({ corpus, signal }, node, AROUND)
      return question === null ? wholeGraph(corpus, signal) : aroundQuestion({ corpus, signal }, question, strategy)
    },
    [corpus, node, question, strategy],
  )
  const left = useMemo(() => new AbortController(), [])
  useEffect(() => () => left.abort(), [])
  const picture = useMemo(() => value && (more.length === 0 ? value : mergePictures([value, ...more])), [value, more])
  const nodes = useMemo(() => new Map(picture?.nodes.map((one) => [one.id, one])), [picture])
  const edge = useMemo(() => picture?.edges.find((one) => edgeKey(one) === looked) ?? null, [picture, looked])
  const focus = useMemo(() => ({ selected, edge: looked, hidden }), [selected, looked, hidden])
  const expand = (id: string) => {
    const kind = nodes.get(id)?.kind
    if (isWhole || opened.current.has(id) || kind === undefined || kind === 'question') return
    opened.current.add(id)
    aroundNode({ corpus, signal: left.signal }, id, MORE).then(
      // A note about one of many nodes would only confuse.
      ({ nodes: near, edges }) => add((before) => [...before, { nodes: near, edges }]),
      (error) => {
        opened.current.delete(id)
        if (!left.signal.aborted) failing(error)
      },
    )
  }
  const choose = (id: string | null) => {
    failing(undefined)
    look(null)
    select(id)
    if (id !== null) expand(id)
  }
  const show = (one: PictureEdge) => look(edgeKey(one))
  const spot = selected === null ? undefined : nodes.get(selected)
  const toggle = (kind: string) => {
    const next = new Set(hidden)
    if (!next.delete(kind)) next.add(kind)
    hide(next)
  }
  return (
    <>
      <p class="row wrap tools">
        <strong class="grow break">{titleOf(node, question, picture)}</strong>
        <a href={to(['c', corpus, 'explore'])}>Start over</a>
      </p>
      <Failure fault={fault ?? opening} again={fault ? again : undefined} />
      {loading && !value && <Busy what="Gathering the graph" />}
      {picture && value && (
        <div class="explorer" aria-busy={loading}>
          <div>
            <LazyPart part={stage} props={{ picture, focus, chosen: { node: choose, edge: look } }} />
            <Legend picture={picture} hidden={hidden} toggle={toggle} />
            <p class="fine">
              {isWhole ? '' : 'Click a node to expand it in place, or a line to see the sentence behind it. '}
              {value.note}
            </p>
          </div>
          <aside aria-label="Nodes">
            {edge && <EdgeDetails corpus={corpus} edge={edge} nodes={nodes} open={open} />}
            {spot && (
              <NodeDetails
                corpus={corpus}
                spot={spot}
                picture={picture}
                select={choose}
                centre={(id) => go(['c', corpus, 'explore'], { node: id })}
                show={show}
              />
            )}
            <NodeList picture={picture} base={value} hidden={hidden} selected={selected} select={choose} />
          </aside>
        </div>
      )}
      <SourcePanel corpus={corpus} place={place} close={() => open(null)} />
    </>
  )
}

function titleOf(node: string | null, question: string | null, picture: Picture | undefined): string {
  if (question !== null) return `Around the question “${clip(question, 60)}”`
  if (node === null) return 'The whole graph'
  const root = picture?.nodes.find(({ id }) => id === node)
  return root ? `Around “${clip(nameOf(root), 60)}”` : 'Around a node'
}
