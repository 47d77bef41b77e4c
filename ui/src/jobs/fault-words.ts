/** Why a model was unavailable or its reply unusable, in words with what to do. Codes that the API may add later are shown unchanged. */
const WORDS: Readonly<Record<string, string>> = {
  capacity: 'the model was too busy for too long; try again later',
  quota: 'the model’s quota is used up; try again when it is renewed',
  timeout: 'the model did not answer in time; try again',
  down: 'the model could not be reached; try again',
  missing: 'there is no such model; its name is in the settings of the deployment',
  too_large: 'a passage was too long for the model',
  invalid: 'the model’s reply was unusable',
  form: 'the model’s reply was not in the form asked for',
  empty: 'the model’s reply was empty',
  echo: 'the model repeated its instructions',
  loop: 'the model kept repeating itself',
  refusal: 'the model refused',
  language: 'the model replied in another language',
  unfinished: 'the model’s reply was cut off',
  unsupported: 'the text does not support the model’s reply',
}

/** `quarantined: invalid` for a document, `down` for a job, `refused: recall@10 of …` for a change that was refused. */
export function faultWords(error: string): string {
  const [, kind, code = error] = /^(quarantined): (.*)$/.exec(error) ?? []
  const words = WORDS[code] ?? code.replaceAll('_', ' ')
  return kind ? `read in part: ${words}` : words
}
