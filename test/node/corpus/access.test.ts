/** Labels beside what the object remembers, and while a large change goes in by parts. Rules P11, P230 and P231. */
import { afterEach, describe, expect, it } from 'vitest'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { changedAccess, setAccess } from '../../../durable-objects/corpus/ingest/set-access'
import { visibleGraph } from '../../../durable-objects/corpus/query/visibility'
import type { CorpusContext } from '../../../durable-objects/corpus/store'
import { SqliteGraph } from '../../../durable-objects/graph/sqlite-graph'
import type { Settings } from '../../../src/core/settings'
import type { DocumentInput } from '../../../src/ports/documents'
import { DIMENSIONS, type Mortal, mortalWorld, type World } from './mortal-object'
import { dice, finish, noBill } from './working'

const SMALL: Partial<Settings> = { chunking: { chunk: 60, overlap: 0, passage: 30 }, models: 'none' }
const LABELS = ['group:a', 'group:b', 'group:c']
const ASKERS: readonly (readonly string[])[] = [[], ...LABELS.map((one) => [one]), LABELS]
const INHERITED = [undefined, [], ['group:a']] as const

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

function begun(strategies: readonly string[]): { readonly world: World; readonly mortal: Mortal } {
  const world = mortalWorld(strategies, SMALL)
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
    ASKERS.map((asker) => {
      const sight = graph.access.sight(asker, inherited)
      if (!sight) return `${asker} ${inherited} all`
      const bits = (list: readonly boolean[]): string => list.map(Number).join('')
      const nodes = written.filter(({ kind }) => kind === 'summary' || kind === 'community').map((node) => sight.derived(node))
      const view = visibleGraph({ graph, config: context.config }, sight)
      const shown = written.map(({ id }) => view.node(id)?.text.length ?? '-')
      return `${asker} ${inherited} ${bits(ids('document').map(sight.document))} ${bits(ids('chunk').map(sight.chunk))} ${bits(nodes)} ${shown}`
    }),
  )
}

/** As an object sees it that has just woken. */
function cold(context: CorpusContext): string[] {
  const graph = new SqliteGraph({ sql: context.sql, dimensions: DIMENSIONS })
  graph.migrate()
  return seenIn(graph, context)
}

describe('what is remembered of labels', () => {
  it.each([1, 2, 3])('[P230] is what the rows say, whatever came, went, changed and was undone (seed %i)', async (seed) => {
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
      switch (roll(4)) {
        case 0:
          await put([input(n, roll(2), round % 3 === 0 ? [] : some()), input(roll(24), 0, some())])
          break
        case 1:
          await put([], [`note-${n}`, `note-${roll(24)}`])
          break
        case 2:
          context.atomically(() => setAccess(context, changedAccess(context, [{ id: `note-${n}`, access: some() }])))
          break
        case 3: // nobody has labels any more, or all but one, and it is undone
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
