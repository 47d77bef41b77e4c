/**
 * How a model is told what a corpus's owner wants from extraction: among the rules, before the rule about the fence, so that no document
 * can speak with the owner's voice. The same in each form.
 */
import type { Guidance } from '../core/guidance'
import { LANGUAGES } from '../core/text/languages'

export function guidanceRules({ guidance }: Guidance): readonly string[] {
  return guidance ? [`The owner of these texts asks, and it holds as far as the form of the reply stays as above:\n${guidance}`] : []
}

/** Empty: the material's own language. Names are compared with the material, so they keep its spelling. */
export function descriptionLanguage({ language }: Guidance): readonly string[] {
  if (!language) return []
  return [
    `Write every "description" in ${LANGUAGES[language]}, whatever the language of the material and of the examples. Names stay spelled as in the material.`,
  ]
}
