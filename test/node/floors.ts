/**
 * The rooms of the repository, floor by floor, the lowest first. A file belongs to the room with the longest path that holds it. It may
 * import its own room and rooms on lower floors (where `only` is given, none but those), never sideways, upwards or in a circle; types
 * count. ARCHITECTURE.md ("Floors") shows the same list, and floors.test.ts compares the two.
 */

export interface Room {
  /** A folder with all that is in it, or a file. */
  readonly path: string
  /** Paths of rooms below that it may import, each with what is in it. Absent: all. */
  readonly only?: readonly string[]
  /** Packages it may import, with their subpaths. Absent: any. */
  readonly libraries?: readonly string[]
}

const pure = (path: string, ...libraries: readonly string[]): Room => ({ path, libraries })
const DECLARED = ['src/core', 'src/contract', 'src/ports']
const FAULTS = ['src/object-fault.ts', 'src/store-fault.ts', 'src/vector-faults.ts', 'src/omitted-data.ts']
const OBJECTS = [
  ...DECLARED,
  ...FAULTS,
  'src/corpus-uid.ts', // whether this is a partition
  'src/partition-layout.ts',
  'src/embedding-mismatch.ts',
  'src/platform-limits.ts',
  'src/question-precedence.ts',
  'src/isolate-memory.ts',
  'src/env.ts',
  'durable-objects',
]
const object = (path: string): Room => ({ path, only: OBJECTS, libraries: [] })

export const floors: readonly (readonly Room[])[] = [
  // The core, behind the wall of src/core/tsconfig.json.
  [pure('src/core/random.ts'), pure('src/core/at-once.ts'), pure('src/core/backoff.ts'), pure('src/core/page.ts')],
  [pure('src/core/algorithms', '@noble/hashes')],
  [pure('src/core/ids.ts', '@noble/hashes'), pure('src/core/graph/types.ts')],
  [pure('src/core/vectors.ts'), pure('src/core/canonical-json.ts')],
  [
    pure('src/core/text', 'stemmer', 'tokenx', '@orama/stemmers', '@orama/stopwords'),
    pure('src/core/receipt-chain.ts'),
    pure('src/core/ontology.ts'),
  ],
  [
    pure('src/core/graph', '@noble/hashes'),
    pure('src/core/guidance.ts'),
    pure('src/core/encoder'),
    pure('src/core/support', 'stemmer', '@orama/stemmers'),
  ],
  [pure('src/core/language', 'franc-min')],
  [
    pure('src/core/reader'),
    pure('src/core/settings.ts'),
    pure('src/core/setting-fields.ts', 'zod'),
    pure('src/core/chosen-options.ts', 'zod'),
    pure('src/core/document-runs.ts'),
  ],
  [pure('src/core/strategy.ts')],
  [pure('src/core/cost.ts'), pure('src/core/evidence.ts')],
  [pure('src/core/estimate'), pure('src/core/builders')],
  [pure('src/core/access'), pure('src/core/channels'), pure('src/core/joint')],
  [pure('src/core/strategy-declaration.ts', 'zod')],
  [pure('src/core/strategies', 'zod')],
  [pure('src/core')],
  // What is declared.
  [pure('src/platform-limits.ts'), pure('src/partition-layout.ts')],
  [
    pure('src/base64.ts'),
    pure('src/bytes-up-to.ts'),
    pure('src/corpus-uid.ts'),
    pure('src/embedding-mismatch.ts'),
    pure('src/identity-headers.ts'),
    pure('src/isolate-memory.ts'),
    pure('src/object-fault.ts'),
    pure('src/omitted-data.ts'),
    pure('src/question-precedence.ts'),
    pure('src/store-fault.ts'),
    pure('src/vector-faults.ts'),
  ],
  [{ path: 'src/contract', only: ['src/core', 'src/platform-limits.ts'], libraries: ['zod', 'leven'] }],
  [{ path: 'src/ports', only: ['src/core', 'src/contract', 'src/partition-layout.ts'], libraries: ['@cloudflare/workers-types'] }],
  [
    { path: 'src/metrics', only: ['src/ports'], libraries: [] },
    { path: 'src/tracing', only: DECLARED, libraries: [] },
  ],
  // What happens.
  [
    pure(
      'src/reading',
      'chardet',
      'csv-parse/sync',
      'fflate',
      'htmlparser2',
      'hyparquet',
      'postal-mime',
      'unpdf',
      'vfile',
      'vfile-matter',
      'zod',
    ),
  ],
  [{ path: 'src/hooks', only: [...DECLARED, 'src/base64.ts'], libraries: ['zod'] }],
  [
    {
      path: 'src/outbound',
      only: [...DECLARED, 'src/hooks', 'src/platform-limits.ts', 'src/bytes-up-to.ts'],
      libraries: ['ipaddr.js', 'zod'],
    },
  ],
  [
    {
      path: 'src/flows',
      only: [
        ...DECLARED,
        'src/hooks',
        'src/outbound',
        'src/metrics',
        'src/platform-limits.ts',
        'src/question-precedence.ts',
        'src/embedding-mismatch.ts',
        'src/corpus-uid.ts',
        'src/partition-layout.ts',
      ],
      libraries: ['jsonrepair', 'zod'],
    },
    {
      path: 'src/sources',
      only: [...DECLARED, 'src/hooks', 'src/outbound', 'src/reading', 'src/bytes-up-to.ts'],
      libraries: ['aws4fetch', 'robots-parser', 'zod'],
    },
  ],
  // Who does it, and who calls it.
  [
    {
      path: 'src/adapters',
      only: [
        ...DECLARED,
        ...FAULTS,
        'src/outbound/reach.ts',
        'src/flows/partitions',
        'src/tracing',
        'src/platform-limits.ts',
        'src/question-precedence.ts',
        'src/base64.ts',
        'src/bytes-up-to.ts',
        'src/corpus-uid.ts',
        'src/partition-layout.ts',
        'src/identity-headers.ts',
      ],
      libraries: ['@cloudflare/workers-types', 'drizzle-orm', 'eventsource-parser', 'jose', '@cloudflare/workers-oauth-provider', 'zod'],
    },
    { path: 'src/client', only: ['src/contract', 'src/core/backoff.ts'], libraries: ['eventsource-parser', 'zod'] },
  ],
  [{ path: 'src/env.ts' }],
  // The objects, floor by floor.
  [object('durable-objects/sql.ts')],
  [
    object('durable-objects/strict.ts'),
    object('durable-objects/holds.ts'),
    object('durable-objects/graph'),
    object('durable-objects/governor'),
  ],
  [
    object('durable-objects/key-usage'),
    object('durable-objects/metrics'),
    object('durable-objects/corpus/tables'),
    object('durable-objects/corpus/limits.ts'),
  ],
  [object('durable-objects/corpus/schema.ts'), object('durable-objects/corpus/store.ts'), object('durable-objects/corpus/access')],
  [
    object('durable-objects/corpus/audit'),
    object('durable-objects/corpus/conversations'),
    object('durable-objects/corpus/query-log'),
    object('durable-objects/corpus/webhooks'),
    object('durable-objects/corpus/query-load.ts'),
    object('durable-objects/corpus/pending-config.ts'),
  ],
  [object('durable-objects/corpus/division')],
  [object('durable-objects/corpus/outbox')],
  [object('durable-objects/corpus/replication')],
  [object('durable-objects/corpus/billing'), object('durable-objects/corpus/jobs'), object('durable-objects/corpus/open-store.ts')],
  [object('durable-objects/corpus/shadow-graph')],
  [object('durable-objects/corpus/indexing'), object('durable-objects/corpus/quality-gate')],
  [object('durable-objects/corpus/ingest')],
  [object('durable-objects/corpus/maintenance'), object('durable-objects/corpus/sources')],
  [
    object('durable-objects/corpus/query'),
    object('durable-objects/corpus/schedule'),
    object('durable-objects/corpus/backup'),
    object('durable-objects/corpus/host-parts.ts'),
  ],
  [object('durable-objects/corpus/repartition')],
  [object('durable-objects/corpus/host.ts')],
  [object('durable-objects/corpus/calls')],
  [
    { path: 'durable-objects', only: OBJECTS, libraries: ['cloudflare:workers'] },
    {
      path: 'src/http',
      only: [
        ...DECLARED,
        ...FAULTS,
        'src/client',
        'src/flows',
        'src/hooks',
        'src/metrics',
        'src/outbound',
        'src/reading',
        'src/isolate-memory.ts',
        'src/tracing',
        'src/platform-limits.ts',
        'src/base64.ts',
        'src/bytes-up-to.ts',
        'src/corpus-uid.ts',
        'src/partition-layout.ts',
        'src/embedding-mismatch.ts',
        'src/identity-headers.ts',
      ],
      libraries: ['@modelcontextprotocol/server', '@noble/hashes', 'hono', 'ipaddr.js', 'leven', 'zod'],
    },
    {
      path: 'ui',
      only: [
        'src/client',
        'src/contract',
        'src/core/access/labels.ts',
        'src/core/at-once.ts', // a file of texts is classified a few at a time
        'src/core/canonical-json.ts',
        'src/core/receipt-chain.ts',
        'src/core/joint/part-of.ts', // which partition has a document's receipt
        'src/core/graph/types.ts',
        'src/core/text/iso-date.ts', // whether a source is still in force
        'src/core/text/languages.ts',
        'src/core/text/table-row.ts', // a row quoted on a card reads as it does in the answer
        'src/hooks/sign.ts', // a webhook is tried with an event signed as its sender does
      ],
    },
  ],
  [{ path: 'src/ingest.ts', libraries: ['cloudflare:workers'] }],
  [{ path: 'src/worker.ts' }],
  // What stands around the product.
  [
    { path: 'local' },
    {
      path: 'cli',
      only: [
        'src/client',
        'src/contract',
        'src/hooks/sign.ts', // events are signed as their senders do
        'src/reading',
        'src/core/text/iso-date.ts', // whether a source is still in force
        'src/core/text/outline.ts',
        'src/core/canonical-json.ts',
        'src/core/receipt-chain.ts',
        'src/core/graph/types.ts',
      ],
    },
  ],
  [{ path: 'scripts', only: ['src/client', 'src/contract', 'src/platform-limits.ts', 'cli', 'local'] }],
  [{ path: 'bench/quality/metrics' }, { path: 'bench/variants', only: ['src/core'], libraries: [] }],
  [{ path: 'test' }],
  [{ path: 'bench' }],
]

/** What does not hold yet. Each list only shrinks: a line that is no longer needed fails the test. */
export const exceptions = {
  /** `from → to`, each a room or a path in it. */
  arrows: [] as readonly string[],
  /** Folders and files whose files stand in circles. */
  circles: [] as readonly string[],
}
