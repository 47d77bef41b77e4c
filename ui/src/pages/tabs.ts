/** The tabs of a corpus, each fetched when it is needed. */
import { type Lazy, lazy } from '../shared/lazy-part'
import type { TabProps } from './tab-props'

export const oneDocument = lazy(() => import('./document').then((module) => module.DocumentPage))
export const comingBack = lazy(() => import('../backups/coming-back').then((module) => module.ComingBack))
export const tabs: Readonly<Record<string, Lazy<TabProps>>> = {
  '': lazy(() => import('./documents').then((module) => module.DocumentsPage)),
  ask: lazy(() => import('./ask').then((module) => module.AskPage)),
  compare: lazy(() => import('./compare').then((module) => module.ComparePage)),
  explore: lazy(() => import('./explore').then((module) => module.ExplorePage)),
  labels: lazy(() => import('./labels').then((module) => module.LabelsPage)),
  connections: lazy(() => import('./connections').then((module) => module.ConnectionsPage)),
  checks: lazy(() => import('./checks').then((module) => module.ChecksPage)),
  usage: lazy(() => import('./usage').then((module) => module.UsagePage)),
}
