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
    ].map((question) => nothingHere(question)),
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

const MILL = 'Die alte Mühle in Ansbach wurde 1742 von Otto Brandt gebaut. Der Fluss treibt zwei Räder an.'

it('[F2110] a refusal says when what is nearest is in another language, in the language of the question', () => {
  expect(
    [
      ['When was the mill in Ansbach built?', MILL],
      ['Qui a construit le moulin et quand ?', MILL],
      ['谁建造了磨坊？', MILL],
      ['Wer hat die Mühle gebaut und wann war das?', 'The mill was built in 1742, and it is driven by the river.'],
      ['Wer hat die Mühle gebaut und wann war das?', MILL],
      ['When was the mill in Ansbach built?', 'Ansbach, Otto Brandt, 1742'],
      ['Ansbach 1742', MILL],
    ].map(([question = '', nearest]) => nothingHere(question, nearest)),
  ).toEqual([
    'Nothing here answers that. The nearest text is in another language (German); only a text model can answer from it.',
    'Rien ici ne répond à cela. Le texte le plus proche est dans une autre langue (allemand) ; seul un modèle de langage peut répondre à partir de ce texte.',
    '这里没有内容能回答这个问题。最接近的文本使用另一种语言（德语），只有语言模型才能根据它回答。',
    'Hier steht nichts, was das beantwortet. Der nächstliegende Text ist in einer anderen Sprache (Englisch); daraus kann nur ein Sprachmodell antworten.',
    'Hier steht nichts, was das beantwortet.',
    'Nothing here answers that.',
    'Nothing here answers that.',
  ])
})
