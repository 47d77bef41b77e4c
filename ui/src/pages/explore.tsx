/** The graph in four views, and the names in it. */

import type { ComponentChildren } from 'preact'
import { Communities } from '../graph/communities-view'
import { Entities } from '../graph/entities-view'
import { GraphView } from '../graph/graph-view'
import { Layers } from '../graph/layers-view'
import { Names } from '../graph/names-view'
import { to } from '../route'
import { Empty } from '../shared/notices'
import { Views } from '../shared/views'
import { offering } from '../strategies/strategies'
import type { TabProps } from './tab-props'

const VIEWS: readonly (readonly [view: string, name: string])[] = [
  ['graph', 'Graph'],
  ['layers', 'Layers'],
  ['communities', 'Communities'],
  ['entities', 'Entities'],
  ['names', 'Names'],
]

/** What a corpus in partitions does not show: communities are of one graph, and so are layers without EraRAG. */
function isShown(view: string, { partitions, strategies }: TabProps['corpus']): boolean {
  if (partitions === 1) return true
  return view === 'layers' ? strategies.includes(offering('segments')) : view !== 'communities'
}

export function ExplorePage(props: TabProps) {
  const { corpus, query } = props
  const views = VIEWS.filter(([view]) => isShown(view, corpus))
  const wanted = query.get('view') ?? 'graph'
  const view = views.some(([one]) => one === wanted) ? wanted : 'graph'
  if ((corpus.counts.documents ?? 0) === 0) {
    return (
      <Empty title="There is no graph yet">
        <p>
          It grows with the documents: <a href={to(['c', corpus.corpus])}>add some</a>, then come back to see what connects them.
        </p>
      </Empty>
    )
  }
  return (
    <>
      <h1 class="visually-hidden">Explore {corpus.corpus}</h1>
      <Views label="Ways to look" path={['c', corpus.corpus, 'explore']} views={views} shown={view} />
      {viewOf(view, props)}
    </>
  )
}

function viewOf(view: string, props: TabProps): ComponentChildren {
  switch (view) {
    case 'layers':
      return <Layers corpus={props.corpus} />
    case 'communities':
      return <Communities corpus={props.corpus} />
    case 'entities':
      return <Entities corpus={props.corpus} />
    case 'names':
      return <Names corpus={props.corpus} entity={props.query.get('entity') ?? ''} />
    default:
      return <GraphView {...props} />
  }
}
