/** A corpus's worked examples as they are shown to the model that reads its texts, in place of ours: passages are fenced like all material. */
import type { GivenExample } from '../core/guidance'
import type { Ontology } from '../core/ontology'
import type { Message, PromptForm } from '../ports/models'
import { fenceTexts } from './fence'
import { kindOf } from './prompt-examples'

/** Each passage as material is shown, and the reply to it. The short form has room for one: the last, as with ours. */
export function workedTurns(examples: readonly GivenExample[], form: PromptForm, ontology?: Ontology): readonly Message[] {
  const hasKinds = (ontology?.relations.length ?? 0) > 0
  return examples.slice(form === 'short' ? -1 : 0).flatMap(({ text, entities, relations }): Message[] => [
    { role: 'user', content: fenceTexts([text]).block },
    {
      role: 'assistant',
      content: JSON.stringify({
        entities,
        relations: relations.map(({ source, target, relation, description, strength }) => ({
          source,
          target,
          ...(hasKinds ? { relation: relation ?? kindOf(description) } : {}),
          description,
          strength,
        })),
      }),
    },
  ])
}
