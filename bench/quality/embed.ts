/**
 * The vectors of MiniLM for the texts that `quality` asks for, kept on disk: slow work that can be done ahead, stopped and gone on with.
 *   TEACHER_PYTHON=<python> npm run bench quality/embed -- --data <folder> [--sets a,b] [--titles yes,no]
 */
import { parseArgs } from 'node:util'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import { divide } from '../../src/core/text/divide'
import { minilm } from '../lib/encoders'
import { corpus, corpusNames, dataFolder } from './corpora'
import { textsOf } from './memory'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    sets: { type: 'string', default: corpusNames.join(',') },
    titles: { type: 'string', default: 'yes,no' },
  },
})
const embed = minilm(process.env.TEACHER_PYTHON ?? 'python3')
for (const set of values.sets.split(',')) {
  for (const titles of values.titles.split(',').map((one) => one === 'yes')) {
    const { passages, questions } = corpus(dataFolder(values.data), set, titles)
    const chunks = passages.flatMap(({ title, text }) => divide({ title, text }, defaultSettings.chunking).chunks)
    const texts = [...new Set([...questions.map((one) => one.text), ...chunks.flatMap((chunk) => textsOf(chunk, false))])]
    await embed(texts)
    console.log(`${set}${titles ? '' : ', no titles'}: ${texts.length} texts`)
  }
}
process.exit() // a conversation with Python would go on
