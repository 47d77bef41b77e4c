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

/**
 * `development`: only the rounds settings are chosen on. `draw`: another number, other examples and test texts of the same rounds, where a set has
 * more than are used.
 */
export function roundSet(folder: string, name: SetName, { development = false, draw = 0 } = {}): RoundSet {
  const [family = '', shot = ''] = name.split('_')
  const shots = Number.parseInt(shot, 10)
  const rounds = roundsOf(join(folder, 'classification'), family, shot, { development, draw })
  return { name, shots, rounds: development ? rounds.filter((round) => isDevelopment(name, round.name)) : rounds }
}

export function isDevelopment(set: string, round: string): boolean {
  return DEVELOPMENT[set.split('_')[0] ?? '']?.includes(round) ?? false
}

interface Drawing {
  readonly development: boolean
  readonly draw: number
}

function roundsOf(root: string, family: string, shot: string, drawing: Drawing): Round[] {
  const shots = Number.parseInt(shot, 10)
  if (family === 'ifs')
    return ['n1', 'n2'].map((one) => folderRound(join(root, `ifs_rel_${shot}`), one, { max: 99, tests: 'test.txt', draw: 0 }))
  const tests = drawing.development ? 'dev.txt' : 'test.txt'
  const { draw } = drawing
  if (family === 'banking') return BANKING.map((one) => folderRound(join(root, 'banking77'), one, { max: shots, tests, draw }))
  return clinc(join(root, 'clinc_small.json'), shots, drawing)
}

function folderRound(folder: string, name: string, { max, tests, draw }: { max: number; tests: string; draw: number }): Round {
  const shots = few(lines(join(folder, name, 'train.txt')), max, drawn(name, draw))
  return {
    name,
    labels: [...new Set(shots.map((one) => one.label))],
    shots,
    tests: mixed(lines(join(folder, name, tests)), drawn(name, draw)),
  }
}

function clinc(path: string, max: number, { development, draw }: Drawing): Round[] {
  const file = JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<'train' | 'test' | 'val', [string, string][]>>
  const of = (rows: [string, string][]): Labelled[] => rows.map(([text, label]) => ({ label, text }))
  const labels = random(SEED).shuffle([...new Set(of(file.train).map((one) => one.label))].sort())
  const shots = few(of(file.train), max, drawn('train', draw))
  const tests = few(of(development ? file.val : file.test), CLINC_TESTS, drawn('test', draw))
  const size = labels.length / CLINC_ROUNDS
  return Array.from({ length: CLINC_ROUNDS }, (_, i) => {
    const own = labels.slice(i * size, (i + 1) * size)
    const within = (one: Labelled): boolean => own.includes(one.label)
    return { name: `r${i + 1}`, labels: own, shots: shots.filter(within), tests: mixed(tests.filter(within), drawn(`r${i}`, draw)) }
  })
}

/** The seed of one draw; draw 0 is the one that all figures of a single draw are of. */
function drawn(seed: string, draw: number): string {
  return draw === 0 ? seed : `${seed}/draw ${draw}`
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
  const kept = new Set(
    random(`${SEED}/${seed}/${max}`)
      .shuffle(order)
      .filter((i) => {
        const label = rows[i]?.label ?? ''
        const n = seen.get(label) ?? 0
        seen.set(label, n + 1)
        return n < max
      }),
  )
  return rows.filter((_, i) => kept.has(i))
}

/** Test texts come mixed, as users send them. */
function mixed(rows: readonly Labelled[], seed: string): Labelled[] {
  return random(`${SEED}/order/${seed}`).shuffle(rows)
}
