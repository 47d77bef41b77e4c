/**
 * Labels that arrive in rounds, read from a folder of data sets: each round adds labels with a few labelled texts, and
 * test texts come one after the other. Nothing here classifies.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { random } from '../../src/core/random'

export interface Labelled {
  readonly label: string
  readonly text: string
}

export interface Round {
  readonly name: string
  /** Labels that are new in this round, in order of arrival. */
  readonly labels: readonly string[]
  readonly shots: readonly Labelled[]
  readonly tests: readonly Labelled[]
}

export interface RoundSet {
  readonly name: string
  readonly shots: number
  readonly rounds: readonly Round[]
}

const BANKING = ['base', 'n1', 'n2', 'n3', 'n4', 'n5'] as const
const CLINC_ROUNDS = 5 // of 30 labels each
const CLINC_TESTS = 10 // test texts per label: 1,500 of 4,500
const SEED = 'classify'

export const setNames = ['ifs_1shot', 'ifs_5shot', 'banking_3shot', 'banking_1shot', 'clinc_1shot', 'clinc_3shot', 'clinc_5shot'] as const
export type SetName = (typeof setNames)[number]

/**
 * Rounds on which settings are chosen: the first of each set, with validation texts in place of test texts where a set has them.
 * All others are only reported.
 */
export const DEVELOPMENT: Readonly<Record<string, readonly string[]>> = {
  ifs: ['n1'],
  banking: ['base', 'n1', 'n2'],
  clinc: ['r1', 'r2'],
}

/** `development`: only the rounds settings are chosen on. */
export function roundSet(folder: string, name: SetName, development = false): RoundSet {
  const [family = '', shot = ''] = name.split('_')
  const shots = Number.parseInt(shot, 10)
  const rounds = roundsOf(join(folder, 'classification'), family, shot, development)
  return { name, shots, rounds: development ? rounds.filter((round) => isDevelopment(name, round.name)) : rounds }
}

export function isDevelopment(set: string, round: string): boolean {
  return DEVELOPMENT[set.split('_')[0] ?? '']?.includes(round) ?? false
}

function roundsOf(root: string, family: string, shot: string, development: boolean): Round[] {
  const shots = Number.parseInt(shot, 10)
  if (family === 'ifs') return ['n1', 'n2'].map((one) => folderRound(join(root, `ifs_rel_${shot}`), one, 99, 'test.txt'))
  const tests = development ? 'dev.txt' : 'test.txt'
  if (family === 'banking') return BANKING.map((one) => folderRound(join(root, 'banking77'), one, shots, tests))
  return clinc(join(root, 'clinc_small.json'), shots, development)
}

function folderRound(folder: string, name: string, max: number, tests: string): Round {
  const shots = few(lines(join(folder, name, 'train.txt')), max, name)
  return { name, labels: [...new Set(shots.map((one) => one.label))], shots, tests: mixed(lines(join(folder, name, tests)), name) }
}

function clinc(path: string, max: number, development: boolean): Round[] {
  const file = JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<'train' | 'test' | 'val', [string, string][]>>
  const of = (rows: [string, string][]): Labelled[] => rows.map(([text, label]) => ({ label, text }))
  const labels = random(SEED).shuffle([...new Set(of(file.train).map((one) => one.label))].sort())
  const shots = few(of(file.train), max, 'train')
  const tests = few(of(development ? file.val : file.test), CLINC_TESTS, 'test')
  const size = labels.length / CLINC_ROUNDS
  return Array.from({ length: CLINC_ROUNDS }, (_, i) => {
    const own = labels.slice(i * size, (i + 1) * size)
    const within = (one: Labelled): boolean => own.includes(one.label)
    return { name: `r${i + 1}`, labels: own, shots: shots.filter(within), tests: mixed(tests.filter(within), `r${i}`) }
  })
}

function lines(path: string): Labelled[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.includes('\t'))
    .map((line) => ({ label: line.slice(0, line.indexOf('\t')), text: line.slice(line.indexOf('\t') + 1).trim() }))
}

/** At most so many per label, drawn by a fixed seed. */
function few(rows: readonly Labelled[], max: number, seed: string): Labelled[] {
  const seen = new Map<string, number>()
  const order = rows.map((_, i) => i)
  const drawn = new Set(
    random(`${SEED}/${seed}/${max}`)
      .shuffle(order)
      .filter((i) => {
        const label = rows[i]?.label ?? ''
        const n = seen.get(label) ?? 0
        seen.set(label, n + 1)
        return n < max
      }),
  )
  return rows.filter((_, i) => drawn.has(i))
}

/** Test texts come mixed, as users send them. */
function mixed(rows: readonly Labelled[], seed: string): Labelled[] {
  return random(`${SEED}/order/${seed}`).shuffle(rows)
}
