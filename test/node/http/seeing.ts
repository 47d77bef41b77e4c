/** The part of a corpus's object that tells of it, as small as can be. */
import type { AlertState, Figures, SeeingObject } from '../../../src/ports/seeing'

export const someFigures: Figures = {
  version: 3,
  documents: 2,
  chunks: 5,
  jobs: { succeeded: 2, failed: 1 },
  oldestJobMs: 0,
  tasks: 0,
  outboxRows: 0,
  versionsBehind: 0,
  indexLagMs: 1500,
  quarantined: 0,
  storageBytes: 4096,
  budget: { tokens: 1000 },
  left: { tokens: 400, usd: null },
  alerts: 0,
  keptAnswers: { hits: 7, misses: 5, saved: { in: 900, out: 80, embedded: 60 } },
  stages: { embed: { calls: 3, in: 0, out: 0, embedded: 600, neurons: 0.65 } },
}

export function fakeSeeing(): SeeingObject {
  let state: AlertState = { rules: { conditions: [], source_failures: 3, index_lag_seconds: 900 }, raised: [] }
  return {
    figures: async () => someFigures,
    costs: async () => [],
    noteQuestion: async () => undefined,
    questions: async () => [],
    poorQuestions: async () => [],
    rateQuestion: async () => true,
    forgetQuestion: async () => true,
    alerts: async () => state,
    putAlerts: async (rules) => {
      state = { rules, raised: [] }
      return state
    },
    testAlert: async () => 1,
  }
}
