/** A reader of Prometheus's text format 0.0.4 that believes nothing: every line, order and value the format asks for is looked at. */

export interface ReadFamily {
  readonly type: string
  readonly help: string
  /** By labels as they are written. */
  readonly samples: Map<string, number>
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\n]|\\\\["\\\\n])*"'
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)?\\})? (NaN|[+-]Inf|[+-]?[0-9.]+(?:e[+-]?[0-9]+)?)$`)
const TYPES = ['counter', 'gauge', 'histogram', 'summary', 'untyped']

/** Throws at the first line that breaks a rule. */
export function readMetrics(text: string): ReadonlyMap<string, ReadFamily> {
  if (!text.endsWith('\n')) throw new Error('the last line must end with a line feed')
  const families = new Map<string, ReadFamily>()
  let open: { name: string; help?: string } | undefined
  for (const [i, line] of text.slice(0, -1).split('\n').entries()) {
    const fail = (why: string): never => {
      throw new Error(`line ${i + 1}: ${why}: ${line}`)
    }
    const [, word, name = '', rest = ''] = new RegExp(`^# (HELP|TYPE) (${NAME}) (.*)$`).exec(line) ?? []
    if (word === 'HELP') {
      if (families.has(name)) fail('a family comes twice')
      open = { name, help: rest }
    } else if (word === 'TYPE') {
      if (open?.name !== name || open.help === undefined) fail('TYPE without its HELP')
      if (!TYPES.includes(rest)) fail('no such type')
      families.set(name, { type: rest, help: open?.help ?? '', samples: new Map() })
    } else {
      const [, sample = '', labels = '', value = ''] = SAMPLE.exec(line) ?? fail('not a sample')
      const family = families.get(open?.name ?? '') ?? fail('a sample before its TYPE')
      const suffix = sample.slice(open?.name.length)
      const isOwn =
        sample.startsWith(open?.name ?? '-') && (family.type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']).includes(suffix)
      if (!isOwn) fail('a sample of another family')
      const names = [...labels.matchAll(/([a-zA-Z_][a-zA-Z0-9_]*)="/g)].map(([, one]) => one)
      if (new Set(names).size !== names.length) fail('a label comes twice')
      const key = `${suffix}{${labels}}`
      if (family.samples.has(key)) fail('a sample comes twice')
      if (family.type === 'counter' && (!sample.endsWith('_total') || Number(value) < 0))
        fail('a counter is called …_total and never negative')
      family.samples.set(key, value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value))
    }
  }
  for (const [name, family] of families) if (family.type === 'histogram') checkHistogram(name, family)
  return families
}

/** Buckets rise, never fall, end with +Inf, which equals the count; and each has a sum. */
function checkHistogram(name: string, { samples }: ReadFamily): void {
  const groups = new Map<string, { le: number; value: number }[]>()
  for (const [key, value] of samples) {
    const [, labels = '', le] = /^_bucket\{(.*?),?le="([^"]*)"\}$/.exec(key) ?? []
    if (le === undefined) continue
    groups.set(labels, [...(groups.get(labels) ?? []), { le: le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), value }])
  }
  for (const [labels, buckets] of groups) {
    const inOrder = buckets.every(
      ({ le, value }, i) => i === 0 || (le > (buckets[i - 1]?.le ?? 0) && value >= (buckets[i - 1]?.value ?? 0)),
    )
    const last = buckets.at(-1)
    const isWhole =
      last?.le === Number.POSITIVE_INFINITY && last.value === samples.get(`_count{${labels}}`) && samples.has(`_sum{${labels}}`)
    if (!inOrder || !isWhole) throw new Error(`${name}{${labels}}: its buckets are not a histogram`)
  }
}
