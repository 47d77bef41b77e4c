/** Whether a model's choice among GORAG's candidates is better than the score it was given them by. Own label set, so that no data is needed. */
import { MemoryGraph } from '../../src/core/graph/memory'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import { classify, putLabel } from '../../src/core/strategies/gorag/gorag'
import { quantize } from '../../src/core/vectors'
import { allowanceOf } from '../../src/flows/allowance'
import { decide } from '../../src/flows/decide'
import { config, fakeCorpus } from '../../test/core/flows/fakes'
import { STATIC_DIMENSIONS, theStaticEncoder } from '../lib/encoders'
import { outcomesOf, share } from './outcomes'
import { sampled, type Writer } from './sampling'

interface Label {
  readonly id: string
  readonly description: string
  readonly examples: readonly string[]
  readonly texts: readonly string[]
}

const labels: readonly Label[] = [
  {
    id: 'lost_card',
    description: 'A bank card is gone',
    examples: ['I lost my card yesterday', 'My card was stolen on the train'],
    texts: ['I cannot find my debit card anywhere', 'Somebody took my wallet with the card in it', 'My card fell into the river'],
  },
  {
    id: 'card_declined',
    description: 'A payment with a card was refused',
    examples: ['My card was declined at the till', 'The shop could not charge my card'],
    texts: ['Why did the terminal refuse my card?', 'Paying for lunch did not work with my card', 'The machine said no to my card twice'],
  },
  {
    id: 'top_up_failed',
    description: 'Money added to the account did not arrive',
    examples: ['My top up failed', 'The money I added is not there'],
    texts: ['I added twenty euros and see nothing', 'Topping up gives an error', 'Where is the deposit I made this morning?'],
  },
  {
    id: 'change_address',
    description: 'A customer has moved',
    examples: ['I moved to another street', 'Please update my address'],
    texts: ['I live in Leeds now', 'My letters still go to the old flat', 'How do I register my new home?'],
  },
  {
    id: 'close_account',
    description: 'A customer wants to leave',
    examples: ['I want to close my account', 'Please delete my account'],
    texts: ['I no longer need your bank', 'How do I cancel everything with you?', 'End my contract, please'],
  },
  {
    id: 'exchange_rate',
    description: 'What a foreign currency costs',
    examples: ['Which exchange rate do you use?', 'The rate for dollars looks wrong'],
    texts: ['How many pounds do I get for a euro?', 'You converted my yen badly', 'Is your rate for francs the market rate?'],
  },
  {
    id: 'forgotten_pin',
    description: 'The number of a card is forgotten or blocked',
    examples: ['I forgot my PIN', 'My PIN is blocked'],
    texts: ['What were the four digits of my card again?', 'I typed the wrong code three times', 'Can I choose another PIN?'],
  },
  {
    id: 'fee_question',
    description: 'Why something was charged',
    examples: ['Why was I charged a fee?', 'There is an extra fee on my statement'],
    texts: ['What is this charge of two euros?', 'Does sending money cost anything?', 'You took money for the cash machine'],
  },
]

export async function classifying(writer: Writer, sample: number) {
  const settings = { ...defaultSettings, dimensions: STATIC_DIMENSIONS }
  const graph = new MemoryGraph(STATIC_DIMENSIONS)
  const vector = (text: string) => quantize(theStaticEncoder().encode(text))
  for (const { id, description, examples } of labels) {
    const texts = examples.map((text, i) => ({ id: `${id} ${i}`, text, vector: vector(text) }))
    graph.apply(putLabel(graph, { id, description, vector: vector(`${id} ${description}`), examples: texts }, settings.gorag))
  }
  const texts = [0, 1, 2].flatMap((i) => labels.flatMap(({ id, texts }) => ({ text: texts[i] ?? '', label: id }))).slice(0, sample)
  const done = await sampled(texts, writer, async (models, { text, label }) => {
    const found = classify(graph, { text, vector: vector(text), now: 0 }, settings.gorag)
    const allowance = allowanceOf({ corpus: fakeCorpus(), config })
    const decided = await decide({ models }, text, found, allowance)
    return { isUsable: decided.by === 'model', isRight: decided.found.label === label, wasRight: found.label === label }
  })
  return { ...outcomesOf(done), right: share(done.results, (one) => one.isRight), byScore: share(done.results, (one) => one.wasRight) }
}
