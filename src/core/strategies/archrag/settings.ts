/** ArchRAG's settings, each with its source: [P] the paper, [C] the official code. The alternatives in the paper's Table 4 are in bench/variants/archrag.ts. */
import { z } from 'zod'
import { publicNames, share, whole } from '../../setting-fields'

export const archSettings = z.object({
  /** What a change clusters again: only what it touches; or everything, so that the same documents give the same state whatever their history. */
  growth: z.enum(['local', 'whole']).default('local'), // a whole clustering for every change costs seconds, a local one milliseconds
  /** The most members of a community. */
  max: whole(2, 64).default(15).register(publicNames, { formerly: 'most' }), // [C] max_cluster_size
  /** The fewest communities of a layer above the first. */
  min: whole(2, 64).default(5).register(publicNames, { formerly: 'least' }), // [C] min_clusters
  /** The most layers of communities. */
  levels: whole(1, 8).default(4), // [C] max_level
  /**
   * What communities above the lowest layer are linked and grouped by: the vectors of their reports [P], once a model has written them; or the sums
   * of their entities' vectors, which wait for no model.
   */
  layerVectors: z.enum(['sums', 'reports']).default('sums'), // measured side by side in docs/archrag.md
  /** Links by likeness must lie above this percentile of the weights of the links that texts state. */
  percentile: share.default(0.8), // [C] index.sh
  /** Write reports before the job succeeds, or when there is time. */
  writing: z.enum(['eager', 'lazy']).default('eager'),
  /** Length of a report, in tokens: enough for a title, a summary and a few findings; [C] asks for no length. */
  report: whole(32, 1000).default(200).register(publicNames, { name: 'report_tokens' }),
  /** Entities up to which no links are kept, and newcomers and questions go by the communities; beyond that C-HNSW searches. */
  exact: whole(0, 10_000_000).default(10_000_000), // more than an object holds: links cost a newcomer 17 rows and 7 ms, and find no more (docs/archrag.md)
  /** C-HNSW's M. */
  links: whole(4, 64).default(16), // recall 1 at a twenty-third of the distances; 32 in [C]
  /** Loss of modularity or of likeness, as a share, at which a full clustering is due. */
  drift: share.default(0.1),
  /** The most entities whose drift is measured and that are clustered again: both happen in one transaction, in memory. */
  anew: whole(0, 50_000).default(6000), // about 11 kB each: an object has 128 MB, which others share (docs/archrag.md)
  /** The most entities that a change folds in at once; the rest follow piece by piece, in commits of their own. */
  piece: whole(16, 10_000).default(256), // well under a second of the object's time, and about 10 MB of its memory (docs/archrag.md)
  seed: whole(0, 0xffffffff).default(0xdeadbeef), // [C]
})

export type ArchSettings = Readonly<z.output<typeof archSettings>>

export const archDefaults: ArchSettings = archSettings.parse({})

declare module '../../settings' {
  interface Settings {
    readonly archrag: ArchSettings
  }
}
