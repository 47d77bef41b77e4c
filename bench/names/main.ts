/**
 * Names that are found without a model, beside those that short texts of our own say: in prose, Markdown, code, tables, mails and records.
 *   npm run bench names -- [--wrong] [--data <folder>]
 * Precision: of what is found and is not left open, the share that is a name; recall: of the names, those found; junk: of the words that are none, those
 * taken for one. `--wrong` lists what is wrong in the texts that the rules were mended by; those of the judge are not for looking at.
 * With data also beside what GPT-3.5 extracted from 1,890 paragraphs of MuSiQue, compared by the names' keys, without days, years and what has no capital.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findMentions } from '../../src/core/builders/mention-list'
import { documentLanguage } from '../../src/core/language/detect'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import { divide } from '../../src/core/text/divide'
import { entities } from '../../src/core/text/entities'
import { nameKey } from '../../src/core/text/names'

const { values } = parseArgs({
  options: { wrong: { type: 'boolean', default: false }, data: { type: 'string', default: process.env.LOAM_DATA } },
})

interface Labelled {
  readonly id: string
  readonly form: string
  readonly language: string
  readonly text: string
  readonly names: readonly string[]
  readonly either: readonly string[]
  readonly none: readonly string[]
}

interface Counts {
  readonly found: number
  readonly right: number
  readonly names: number
  readonly hit: number
  readonly none: number
  readonly junk: number
}

function foundIn(text: string): Set<string> {
  const { chunks } = divide({ title: '', text, language: documentLanguage(text, undefined) }, defaultSettings.chunking)
  return new Set(chunks.flatMap((chunk) => findMentions({ ...chunk, name: '' }).map(({ key }) => key)))
}

function countsOf(one: Labelled, show: boolean): Counts {
  const keysOf = (list: readonly string[]): Set<string> => new Set(list.map(nameKey))
  const [names, either, none] = [keysOf(one.names), keysOf(one.either), keysOf(one.none)]
  const found = foundIn(one.text)
  const judged = [...found].filter((key) => names.has(key) || !either.has(key))
  const right = judged.filter((key) => names.has(key))
  if (show) {
    console.log(`${one.id}: wrong: ${judged.filter((key) => !names.has(key)).join(' · ')}`)
    console.log(`${one.id}: missed: ${[...names].filter((key) => !found.has(key)).join(' · ')}`)
  }
  return {
    found: judged.length,
    right: right.length,
    names: names.size,
    hit: [...names].filter((key) => found.has(key)).length,
    none: none.size,
    junk: [...none].filter((key) => found.has(key)).length,
  }
}

const percent = (part: number, whole: number): string => (whole > 0 ? ((100 * part) / whole).toFixed(1) : '–')
console.log('| texts | | names | precision | recall | no names | taken for one |\n|---|---|---|---|---|---|---|')
for (const set of ['worked', 'judge']) {
  const { documents } = JSON.parse(readFileSync(join('bench', 'names', `${set}.json`), 'utf8')) as { documents: Labelled[] }
  const rows = documents.map((one) => ({ one, counts: countsOf(one, values.wrong && set === 'worked') }))
  const groups = [...new Set(documents.flatMap(({ form, language }) => [language, form]))]
  const line = (name: string, test: (one: Labelled) => boolean): void => {
    const own = rows.filter(({ one }) => test(one)).map(({ counts }) => counts)
    const sum = (key: keyof Counts): number => own.reduce((all, one) => all + one[key], 0)
    const [precision, recall] = [percent(sum('right'), sum('found')), percent(sum('hit'), sum('names'))]
    console.log(`| ${set} | ${name} | ${sum('names')} | ${precision} | ${recall} | ${sum('none')} | ${percent(sum('junk'), sum('none'))} |`)
  }
  line('all', () => true)
  for (const group of groups) line(group, ({ form, language }) => form === group || language === group)
}

const extracted = join(values.data ?? '', 'multihop', 'musique_train100.openie-gpt3.5.json')
if (values.data !== undefined && existsSync(extracted)) {
  const { docs } = JSON.parse(readFileSync(extracted, 'utf8').replace(/\bNaN\b/gu, 'null')) as {
    docs: { text: string; extracted_entities: string[] }[]
  }
  const isName = (surface: string): boolean => /\p{Lu}/u.test(surface) && !entities(surface).some(({ type }) => type === 'date')
  const sums = { found: 0, names: 0, both: 0 }
  for (const { text, extracted_entities } of docs) {
    const names = new Set(extracted_entities.filter(isName).map(nameKey))
    const found = [...foundIn(text)].filter((key) => isNoDate(key))
    sums.found += found.length
    sums.names += names.size
    sums.both += found.filter((key) => names.has(key)).length
  }
  console.log(`MuSiQue beside GPT-3.5: precision ${percent(sums.both, sums.found)}, recall ${percent(sums.both, sums.names)}`)
}

/** By its key: days end or begin with a year and have a month, which has no capital any more. */
function isNoDate(key: string): boolean {
  return (
    !/^(?:\d{1,2} )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*(?: \d{1,2})?(?: \d{4})?$/u.test(key) && !/^[\d ]+$/u.test(key)
  )
}
