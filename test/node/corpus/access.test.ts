/** Labels beside what the object remembers, and while a large change goes in by parts. */
import { afterEach, describe, expect, it } from 'vitest'
import { commitNext } from '../../../durable-objects/corpus/indexing/commit'
import { commitRound, openTasks } from '../../../durable-objects/corpus/indexing/runner'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { document } from '../../../durable-objects/corpus/ingest/documents'
import { changedAccess, setAccess } from '../../../durable-objects/corpus/ingest/set-access'
import { isIntegrating } from '../../../durable-objects/corpus/jobs/integration-state'
import { retrieve } from '../../../durable-objects/corpus/query/retrieve'
import { sightOf, visibleGraph, visibleRows } from '../../../durable-objects/corpus/query/visibility'
import type { CorpusContext } from '../../../durable-objects/corpus/store'
import { SqliteGraph } from '../../../durable-objects/graph/sqlite-graph'
import type { Asker } from '../../../src/core/access/labels'
import { neighbourhood } from '../../../src/core/access/neighbourhood'
import type { Settings } from '../../../src/core/settings'
import { strategies } from '../../../src/core/strategies/registry'
import type { DocumentInput } from '../../../src/ports/documents'
import { DIMENSIONS, type Mortal, mortalWorld, type World } from './mortal-object'
import { answered, dice, finish, noBill } from './working'

const SMALL: Partial<Settings> = { chunking: { chunk: 60, overlap: 0, passage: 30 }, models: 'none' }
const LABELS = ['group:a', 'group:b', 'group:c']
const ASKERS: readonly (readonly string[])[] = [[], ...LABELS.map((one) => [one]), LABELS]
const EVERY_ASKER: readonly Asker[] = [...ASKERS, 'all']
const INHERITED = [undefined, [], ['group:a']] as const

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

function begun(strategies: readonly string[], part?: number): { readonly world: World; readonly mortal: Mortal } {
  const world = mortalWorld(strategies, SMALL, part === undefined ? {} : { part })
  worlds.push(world)
  return { world, mortal: world.wake() }
}

/** Every fifth text is that of another document, word for word. */
const input = (n: number, edition: number, access: readonly string[]): DocumentInput => ({
  id: `note-${n}`,
  text: `Captain Bar${n % 15} met Pilot Tor${(n + 3) % 7} at the harbour and wrote of it. They spoke of lantern ${n % 15} and edition ${edition}.`,
  title: '',
  url: null,
  metadata: {},
  access,
})

/** What each asker may see of every document, chunk, summary and community. */
function seenIn(graph: SqliteGraph, context: CorpusContext): string[] {
  const { sql } = context
  const ids = (table: string): string[] => sql.all<{ id: string }>(`SELECT id FROM ${table} ORDER BY id`).map((row) => row.id)
  const written = ids('node').flatMap((id) => graph.node(id) ?? [])
  return INHERITED.flatMap((inherited) =>
    [...EVERY_ASKER, 'withInactive' as const].map((whose) => {
      const withInactive = whose === 'withInactive'
      const asker = withInactive ? ['group:a'] : whose
      const sight = graph.access.sight(asker, inherited, { withInactive })
      if (!sight) return `${asker} ${inherited} all`
      const bits = (list: readonly boolean[]): string => list.map(Number).join('')
      const nodes = written.filter(({ kind }) => kind === 'summary' || kind === 'community').map((node) => sight.derived(node))
      const view = visibleGraph({ graph, config: context.config }, sight)
      const shown = written.map(({ id }) => view.node(id)?.text.length ?? '-')
      return `${asker} ${inherited} ${bits(ids('document').map(sight.document))} ${bits(ids('chunk').map(sight.chunk))} ${bits(nodes)} ${shown}`
    }),
  )
}

/** All the model work there is, short of taking a large change in. */
function work(context: CorpusContext): void {
  for (;;) {
    const round = openTasks(context, 'one', 1024)
    if (!round || round.tasks.length === 0) return
    commitRound(context, 'one', answered(round, noBill()))
  }
}

/** As an object sees it that has just woken. */
function cold(context: CorpusContext): string[] {
  const graph = new SqliteGraph({ sql: context.sql, dimensions: DIMENSIONS })
  graph.migrate()
  return seenIn(graph, context)
}

describe('what is remembered of labels', () => {
  it.each([1, 2, 3])('[P230] equals the rows, whatever came, went, changed and was undone (seed %i)', async (seed) => {
    const { world, mortal } = begun(['erarag', 'archrag'])
    const { context } = mortal
    const roll = dice(seed)
    const some = (): string[] => LABELS.filter(() => roll(3) === 0)
    const put = async (notes: readonly DocumentInput[], deletes: readonly string[] = []): Promise<void> => {
      accept(context, { kind: 'batch', upserts: notes, deletes })
      await finish(mortal, world, noBill())
    }
    await put(Array.from({ length: 20 }, (_, n) => input(n, 0, seed === 2 ? [] : some())))
    for (let round = 0; round < 14; round++) {
      seenIn(context.graph, context) // remembered from here on
      const n = roll(24)
      switch (roll(6)) {
        case 0:
          await put([input(n, roll(2), round % 3 === 0 ? [] : some()), input(roll(24), 0, some())])
          break
        case 1:
          await put([], [`note-${n}`, `note-${roll(24)}`])
          break
        case 2:
          context.atomically(() => setAccess(context, changedAccess(context, [{ id: `note-${n}`, access: some() }])))
          break
        case 3:
        case 4: // off and on, some of them with other labels
          context.atomically(() => {
            const change = round % 2 === 0 ? {} : { access: some() }
            setAccess(
              context,
              changedAccess(context, [
                { id: `note-${n}`, active: roll(2) === 0, ...change },
                { id: `note-${roll(24)}`, active: true },
              ]),
            )
          })
          break
        case 5: // nobody has labels any more, or all but one, and it is undone
          expect(() =>
            context.atomically(() => {
              const all = Array.from({ length: 24 }, (_, i) => ({ id: `note-${i}`, access: i === n ? ['group:new'] : [] }))
              setAccess(context, changedAccess(context, all))
              expect(seenIn(context.graph, context)).toEqual(cold(context))
              throw new Error('undone')
            }),
          ).toThrow('undone')
      }
      expect(seenIn(context.graph, context)).toEqual(cold(context))
    }
  })
})

describe('labels and the text they belong to', () => {
  const found = (context: CorpusContext, text: string, asker: readonly string[]): readonly string[] => {
    const request = { strategy: 'keyword', text, near: {}, topK: 100, budget: 40_000, trace: false, options: {}, asker } as const
    const result = retrieve(context, request)
    return result.kind === 'evidence' ? result.evidence.map((one) => one.text) : [result.kind]
  }
  const note = (text: string, access?: readonly string[]): DocumentInput => {
    return { id: 'note', text, title: '', url: null, metadata: {}, ...(access ? { access } : {}) }
  }
  const SECRET = 'The lantern costs nine hundred thalers.'
  const OPEN = 'The lantern costs what it costs.'

  it('[P11] take effect together: what is served until a new text is in keeps its labels, also where the new text is refused or its labels change again', async () => {
    const { world, mortal } = begun(['erarag'])
    const { context } = mortal
    const put = (input: DocumentInput) => accept(context, { kind: 'ingest', upserts: [input], deletes: [] })
    put(note(SECRET, ['group:a']))
    await finish(mortal, world, noBill())
    const poor = { ...context, config: { ...context.config, budget: { tokens: 1 } } } as CorpusContext
    expect(accept(poor, { kind: 'ingest', upserts: [note(OPEN, ['*'])], deletes: [] }).kind).toBe('over_budget')
    expect([found(context, 'lantern', []), document(context, 'note', [])]).toEqual([[], null])
    put(note(OPEN, ['*']))
    expect([found(context, 'lantern', []), document(context, 'note', [])]).toEqual([[], null])
    // The same text again, on its way: its labels change, not those of what is served.
    put(note(OPEN, []))
    expect([found(context, 'lantern', []), found(context, 'lantern', ['group:a'])]).toEqual([[], [SECRET]])
    await finish(mortal, world, noBill())
    expect([found(context, 'lantern', []), document(context, 'note', [])?.text]).toEqual([[OPEN], OPEN])
  })

  it('[P230] while a large change goes in by parts nobody sees forbidden documents of it, and labels changed before or after hold with their version', async () => {
    const { world, mortal } = begun(['erarag', 'archrag'], 6)
    const { context } = mortal
    const many = (edition: number, labels: (n: number) => readonly string[]): DocumentInput[] =>
      Array.from({ length: 24 }, (_, n) => ({ ...input(n, edition, labels(n)), id: `many-${n}` }))
    accept(context, { kind: 'batch', upserts: many(0, (n) => [LABELS[n % 3] ?? '']), deletes: [] })
    await finish(mortal, world, noBill())
    const relabel = (id: string, access: readonly string[]) =>
      context.atomically(() => setAccess(context, changedAccess(context, [{ id, access }])))
    const version = relabel('many-0', ['group:b'])
    expect(version).toBe(context.graph.version)
    // Each text moves to another group; every fifth stands in a document of another group word for word.
    const job = accept(context, { kind: 'batch', upserts: many(1, (n) => [LABELS[(n + 1) % 3] ?? '']), deletes: ['many-23'] })
    work(context)
    expect([job.kind, isIntegrating(context)]).toEqual(['accepted', true])
    const before = [seenIn(context.graph, context), ...ASKERS.map((asker) => found(context, 'edition lantern', asker))]
    let parts = 0
    for (; isIntegrating(context); parts++) {
      expect([seenIn(context.graph, context), ...ASKERS.map((asker) => found(context, 'edition lantern', asker))]).toEqual(before)
      expect(seenIn(context.graph, context)).toEqual(cold(context))
      // Refused rather than lost: who calls waits until the change is in.
      expect(() => relabel('many-1', ['group:a'])).toThrow()
      expect(commitNext(context)).toBe(true)
    }
    expect(parts).toBeGreaterThan(3)
    expect(seenIn(context.graph, context)).toEqual(cold(context))
    for (const [i, label] of LABELS.entries()) {
      const mine = context.sql.all<{ id: string }>('SELECT id FROM document ORDER BY id').map((row) => row.id)
      const sight = context.graph.access.sight([label], undefined)
      expect(mine.filter((id) => sight?.document(id))).toEqual(mine.filter((id) => (Number(id.slice(5)) + 1) % 3 === i))
    }
    const later = relabel('many-1', ['group:a'])
    expect([later, context.graph.access.sight(['group:a'], undefined)?.document('many-1')]).toEqual([context.graph.version, true])
    expect(seenIn(context.graph, context)).toEqual(cold(context))
  })
})

describe('documents that are switched off', () => {
  const WORDS = ['quillon', 'zephyrine', 'brantock']
  const SYSTEMS = ['erarag', 'cluerag', 'ketrag', 'archrag']
  const suspended: DocumentInput = {
    id: 'suspended',
    text: 'Captain Quillon met Pilot Zephyrine at the harbour and wrote of it. Captain Quillon spoke of lantern 3 and of the Brantock of the registry.',
    title: 'Quillon',
    url: null,
    metadata: {},
  }
  const all = (context: CorpusContext, asker: Asker): string[] =>
    [...strategies.values()].flatMap(({ name }) => {
      const chunk = context.graph.chunk(context.graph.document('suspended')?.chunks[0]?.chunk ?? '')
      const vector = context.graph.vector(chunk?.passages[0]?.id ?? '')
      return ['What did the captain and the pilot write of at the harbour?', 'Captain Bar3 and lantern 3 of the registry'].map((text) => {
        const request = { strategy: name, text, near: {}, topK: 100, budget: 40_000, trace: true, options: {}, asker } as const
        return JSON.stringify(retrieve(context, vector ? { ...request, vector } : request), (key, value) => (key === 'version' ? 0 : value))
      })
    })

  it('[P560] reach nobody by any strategy, trace, name or neighbourhood, and come back as they were; nothing is derived for it', async () => {
    const { world, mortal } = begun(SYSTEMS)
    const { context } = mortal
    accept(context, { kind: 'batch', upserts: [suspended, ...Array.from({ length: 12 }, (_, n) => input(n, 0, []))], deletes: [] })
    await finish(mortal, world, noBill())
    const askers: readonly Asker[] = [[], 'all']
    const before = askers.map((asker) => all(context, asker))
    expect(before.flat().filter((one) => one.toLowerCase().includes('zephyrine')).length).toBeGreaterThan(10)
    const turn = (active: boolean) => context.atomically(() => setAccess(context, changedAccess(context, [{ id: 'suspended', active }])))
    const sums = () => context.sql.one<{ sums: string }>('SELECT sums FROM graph_state')?.sums
    const state = sums()
    expect(turn(false)).toBe(context.graph.version)
    const off = askers.flatMap((asker) => all(context, asker))
    expect(off.filter((one) => WORDS.some((word) => one.toLowerCase().includes(word)))).toEqual([])
    const view = visibleGraph(context, sightOf(context, 'all'))
    const names = context.graph.page('entity', '', 1000).flatMap((id) => view.node(id)?.text.toLowerCase() ?? [])
    expect([names.filter((name) => WORDS.some((word) => name.includes(word))), names.length > 5]).toEqual([[], true])
    const around = neighbourhood(view, { node: null, depth: 3, limit: 100 })
    expect(JSON.stringify(around).toLowerCase()).not.toMatch(/quillon|zephyrine|brantock/)
    expect([openTasks(context, 'one', 10)?.tasks ?? [], sums()]).toEqual([[], state])
    // Those who may read it still list, open and export it.
    expect([document(context, 'suspended', [])?.active, visibleRows(context, {}, []).all]).toEqual([false, false])
    const exported = visibleRows(context, { documents: ['suspended', 'note-1'], withInactive: true }, [])
    expect([exported.all, exported.inactive, exported.documents]).toEqual([true, ['suspended'], { suspended: [], 'note-1': [] }])
    // Put again it stays off; off by being put with its text, nothing is read again.
    expect(accept(context, { kind: 'ingest', upserts: [{ ...suspended, active: false }], deletes: [] })).toMatchObject({
      kind: 'unchanged',
    })
    accept(context, { kind: 'ingest', upserts: [{ ...suspended, text: `${suspended.text} So it was.` }], deletes: [] })
    await finish(mortal, world, noBill())
    expect(all(context, 'all').join().toLowerCase()).not.toMatch(/zephyrine/)
    accept(context, { kind: 'ingest', upserts: [suspended], deletes: [] })
    await finish(mortal, world, noBill())
    expect(accept(context, { kind: 'ingest', upserts: [{ ...suspended, active: true }], deletes: [] })).toMatchObject({
      version: context.graph.version,
    })
    expect(askers.map((asker) => all(context, asker))).toEqual(before)
  })
})
