import { expect, it } from 'vitest'
import { nothingHere } from '../../../src/flows/refusal'

it('[F710] what the documents do not answer is said in the language of the question', () => {
  expect(
    [
      'Who built the hall?',
      'Wer hat die Halle gebaut und wann war das?',
      'Qui a construit la salle et quand ?',
      '¿Quién construyó la sala y cuándo?',
      '谁建造了大厅？',
      'ホールは誰が建てましたか。',
      'من بنى القاعة؟',
      'چه کسی تالار را ساخت؟',
      'Кто построил зал?',
      '',
    ].map(nothingHere),
  ).toEqual([
    'Nothing here answers that.',
    'Hier steht nichts, was das beantwortet.',
    'Rien ici ne répond à cela.',
    'Aquí nada responde a eso.',
    '这里没有内容能回答这个问题。',
    'ここにはその答えがありません。',
    'لا شيء هنا يجيب عن ذلك.',
    'Nothing here answers that.',
    'Nothing here answers that.',
    'Nothing here answers that.',
  ])
})
