/** The figures of `classify.ts` as Markdown. */
import { GORAG, type RoundFigures, type SetFigures } from './quality'

export function report(results: readonly SetFigures[]): string {
  return ['# Classification in rounds', summary(results), ...results.map(setReport)].join('\n\n')
}

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / Math.max(1, values.length)
}

const one = (x: number | undefined): string => (x ?? 0).toFixed(1)

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

function methodsOf(rounds: readonly RoundFigures[]): string[] {
  return Object.keys(rounds[0]?.accuracy ?? {})
}

/** Mean over the rounds of each set, then over sets. `reported`: rounds on which nothing was chosen. */
function summary(results: readonly SetFigures[]): string {
  const methods = methodsOf(results[0]?.rounds ?? [])
  const over = (result: SetFigures, method: string, protocol: 'cumulative' | 'fresh', rounds = result.rounds): number =>
    mean(rounds.map((round) => round.accuracy[method]?.[protocol] ?? 0))
  const reported = (result: SetFigures): readonly RoundFigures[] => result.rounds.filter(({ development }) => !development)
  const rows = methods
    .map((method) => ({
      method,
      all: mean(results.map((result) => over(result, method, 'cumulative'))),
      new: mean(results.map((result) => over(result, method, 'fresh'))),
      later: mean(results.map((result) => over(result, method, 'cumulative', reported(result)))),
      laterNew: mean(results.map((result) => over(result, method, 'fresh', reported(result)))),
    }))
    .sort((a, b) => b.all - a.all)
    .map((row) => [
      row.method,
      ...[row.all, row.new, row.later, row.laterNew].map(one),
      ...results.map((result) => one(over(result, row.method, 'cumulative'))),
    ])
  const learning = Object.keys(results[0]?.streams ?? {}).map((name) => [
    name,
    one(mean(results.map((result) => mean(result.streams[name] ?? [])))),
    one(mean(results.map((result) => result.streamCalibration[name] ?? 0))),
    ...results.map((result) => one(mean(result.streams[name] ?? []))),
  ])
  const sets = results.map(({ set }) => set)
  return [
    '## Accuracy, mean over rounds (cumulative; `new`: test texts of each round’s new labels alone)',
    'Rounds marked * were used to choose settings (on their validation texts, where a set has them); `reported` leaves them out.',
    table(['method', 'mean', 'new', 'reported', 'reported, new', ...sets], rows),
    '## Learning online, mean over rounds of a stream in which every text comes once',
    table(['run', 'mean', 'calibration error', ...sets], learning),
  ].join('\n\n')
}

function setReport({ set, rounds, streams }: SetFigures): string {
  const head = ['method', ...rounds.map(({ round, labels, development }) => `${round}${development ? '*' : ''} (${labels})`)]
  const accuracies = methodsOf(rounds).map((method) => [
    method,
    ...rounds.map((round) => `${one(round.accuracy[method]?.cumulative)} / ${one(round.accuracy[method]?.fresh)}`),
  ])
  const ways = Object.keys(rounds[0]?.recall ?? {})
  const recalls = ways.map((way) => [
    way,
    ...rounds.map(({ recall }) => {
      const { recall: own, mean, plain, named } = recall[way] ?? { recall: 0, mean: 0, plain: 0, named: 0 }
      return `${one(own)} at ${one(mean)} (${one(plain)}, ${one(named)})`
    }),
  ])
  return [
    `## ${set}`,
    'Accuracy, cumulative / new labels:',
    table(head, accuracies),
    'Candidates: recall at their mean number (graph-free top-k of that number: z-sum over examples, with names):',
    table(['source', ...head.slice(1)], recalls),
    `Calibration error of ${GORAG}: ${rounds.map((round) => one(round.calibration)).join(', ')}.`,
    'Streams:',
    table(
      ['run', ...head.slice(1)],
      Object.entries(streams).map(([name, values]) => [name, ...values.map(one)]),
    ),
  ].join('\n\n')
}
