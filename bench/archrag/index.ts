/**
 * C-HNSW beside hnswlib (npm hnswlib-node, where it is installed) and comparing every int8 vector: recall@10, distances and questions a second, on the same
 * clustered vectors, fresh and after 30 % were deleted and as many inserted. `[--sizes 1000,10000] [--dimensions 512] [--links 16] [--hnswlib <module>]`
 */
import { insert, remove } from '../../src/core/algorithms/c-hnsw'
import { type Counter, hierarchical, nearness } from '../../src/core/algorithms/c-hnsw-search'
import { random } from '../../src/core/random'
import { quantize } from '../../src/core/vectors'
import { index } from '../../test/core/algorithms/layered'
import { option, type Row, report, round } from '../erarag/world'

const D = Number(option('dimensions') ?? 512)
const shape = { links: Number(option('links') ?? 16), candidates: 40 }
const QUESTIONS = 100
const numbers = random('index')
const normals = (spread: number): number[] => Array.from({ length: D }, () => numbers.normal() * spread)

interface Library {
  readonly HierarchicalNSW: new (
    space: string,
    d: number,
  ) => {
    initIndex(max: number, m?: number, ef?: number, seed?: number): void
    addPoint(vector: number[], label: number): void
    setEf(ef: number): void
    searchKnn(vector: number[], k: number): { neighbors: number[] }
  }
}

const library = (await import(option('hnswlib') ?? 'hnswlib-node').then((one) => one.default ?? one).catch(() => undefined)) as
  | Library
  | undefined
const rows: Row[] = []
for (const size of (option('sizes') ?? '1000,10000').split(',').map(Number)) {
  const tops = Array.from({ length: 20 }, () => normals(1))
  const centres = Array.from({ length: Math.ceil(size / 15) }, (_, i) =>
    normals(1).map((x, d) => x + ((tops[i % 20] as number[])[d] as number)),
  )
  const leaf = (i: number): Int8Array => quantize(normals(1).map((x, d) => x + ((centres[i % centres.length] as number[])[d] as number)))
  const one = index()
  const start = performance.now()
  for (const [i, vector] of tops.entries()) insert(one, 2, `t${i}`, quantize(vector), shape)
  for (const [i, vector] of centres.entries()) insert(one, 1, `c${i}`, quantize(vector), shape)
  for (let i = 0; i < size; i++) insert(one, 0, `e${i}`, leaf(i), shape)
  const built = performance.now() - start
  const questions = Array.from({ length: QUESTIONS }, () =>
    quantize((centres[numbers.below(centres.length)] as number[]).map((x) => x + numbers.normal())),
  )
  const exact = (): string[][] => {
    const all = [...(one.maps[0] ?? [])]
    return questions.map((question) =>
      all
        .map(([id, node]) => ({ id, score: nearness(question, node.vector) }))
        .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
        .slice(0, 10)
        .map((hit) => hit.id),
    )
  }
  const timed = (
    label: string,
    ask: (question: Int8Array, at: number) => readonly string[],
    wanted: readonly (readonly string[])[],
    more: Row,
  ): void => {
    const from = performance.now()
    const found = questions.map(ask)
    const seconds = (performance.now() - from) / 1000
    const recall =
      found.map((ids, i) => (wanted[i] ?? []).filter((id) => ids.includes(id)).length / 10).reduce((a, b) => a + b, 0) / QUESTIONS
    rows.push({ nodes: size, way: label, 'recall@10': round(recall, 3), 'questions/s': Math.round(QUESTIONS / seconds), ...more })
    console.log(JSON.stringify(rows.at(-1)))
  }
  const measure = (when: string): void => {
    const wanted = exact()
    timed(
      `all int8, ${when}`,
      (question) =>
        [...(one.maps[0] ?? [])]
          .map(([id, node]) => ({ id, score: nearness(question, node.vector) }))
          .sort((a, b) => b.score - a.score)
          .slice(0, 10)
          .map((hit) => hit.id),
      wanted,
      { distances: size },
    )
    for (const ef of [16, 32, 64, 100]) {
      let distances = 0
      timed(
        `C-HNSW ef ${ef}, ${when}`,
        (question) => {
          const counters: Counter[] = []
          const found = hierarchical(one, question, 10, ef, counters)
          distances += (counters[0]?.distances ?? 0) / QUESTIONS
          return found[0]?.map((hit) => hit.id) ?? []
        },
        wanted,
        {},
      )
      Object.assign(rows.at(-1) as object, { distances: Math.round(distances), share: round(distances / size, 3) })
    }
    if (when !== 'fresh' || !library) return
    const from = performance.now()
    const theirs = new library.HierarchicalNSW('cosine', D)
    theirs.initIndex(size, shape.links, shape.candidates, 100)
    for (let i = 0; i < size; i++) theirs.addPoint(Array.from(one.maps[0]?.get(`e${i}`)?.vector ?? []), i)
    const ms = performance.now() - from
    for (const ef of [16, 64]) {
      theirs.setEf(ef)
      timed(`hnswlib ef ${ef}`, (question) => theirs.searchKnn(Array.from(question), 10).neighbors.map((at) => `e${at}`), wanted, {
        'built ms': Math.round(ms),
      })
    }
  }
  measure('fresh')
  Object.assign(rows.find((row) => row.nodes === size && String(row.way).startsWith('C-HNSW')) as object, { 'built ms': Math.round(built) })
  for (const id of random('leaving')
    .shuffle([...(one.maps[0]?.keys() ?? [])])
    .slice(0, Math.floor(0.3 * size)))
    remove(one, 0, id, shape)
  for (let i = 0; i < Math.floor(0.3 * size); i++) insert(one, 0, `new${i}`, leaf(i), shape)
  measure('churned 30 %')
}
report('archrag-index', `C-HNSW, ${D} dimensions, M ${shape.links}${library ? '' : ' (hnswlib-node is not installed)'}`, rows)
