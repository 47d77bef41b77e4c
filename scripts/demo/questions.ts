/**
 * A dozen questions we wrote about the addresses of 1957 to 1968. `gold` is a phrase from each passage that answers; a strategy has found
 * it when a returned passage contains one.
 */
export const questions = [
  { q: 'Which aviator does Kennedy compare the effort to reach the moon with?', gold: ["Charles Lindbergh's real aim"] },
  { q: 'To what range should individual income tax rates be lowered?', gold: ['range of 14 to 65 percent'] },
  { q: 'How does mental retardation in the United States compare with Sweden?', gold: ['three times as high as that of Sweden'] },
  {
    q: "What does the eagle on the President's coat of arms hold in its talons?",
    gold: ['the American eagle holds in his right talon the olive branch'],
  },
  { q: 'What can many talented high school graduates not afford?', gold: ['One third of our most promising high school graduates'] },
  { q: 'By which devices are citizens kept from voting?', gold: ['such as literacy tests and poll taxes'] },
  { q: 'What does one ATLAS missile cost?', gold: ['will average $35 million per missile'] },
  {
    q: 'How many people have been treated under Medicare?',
    gold: ['Three and one-half million Americans have already received treatment under Medicare'],
  },
  {
    q: 'What tax surcharge should pay for the war in Vietnam?',
    gold: ['a surcharge of 6 percent on both corporate and individual income taxes'],
  },
  {
    q: 'How much were ballistic missiles given each year in the past?',
    gold: ['one million dollars a year on long range ballistic missiles', 'as much as a million dollars a year'], // said in 1958 and in 1961
  },
  {
    q: 'How much money did Americans who travel abroad take out of the country?',
    gold: ['took $4 billion out of their country last year in travel costs'],
  },
  {
    q: 'When will the soldiers be withdrawn from South Vietnam?',
    gold: ['we will withdraw our soldiers once South Vietnam is securely guaranteed'],
  },
]

/** Answered from two documents, one per line. */
export const comparison = { q: 'Compare State of the Union 1957 and State of the Union 1969' }

/** The addresses do not say it. */
export const nowhere = { q: 'Who won the first World Cup of women’s football?' }

export const years = { from: 1957, to: 1968, next: 1969 }
