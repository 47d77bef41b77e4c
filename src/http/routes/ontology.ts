/** An ontology and guidance are settings of their corpus; here they are proposed, and nothing is set. */
import { guidanceProposal, proposeGuidanceSchema } from '../../contract/guidance-proposal'
import { ontologyProposal, proposeSchema } from '../../contract/ontology-proposal'
import { proposeGuidance } from '../../flows/propose-guidance'
import { proposeOntology } from '../../flows/propose-ontology'
import { askerOf } from '../asker'
import { type Ctx, objectOf } from '../context'
import { configOf, embeddingFor } from '../corpus-config'
import { keyKeeper } from '../key-limits'
import { Problem } from '../problem'
import { route } from '../route'

export const ontologyRoutes = [
  route({
    method: 'post',
    path: '/v1/corpora/{corpus}/ontology:propose',
    id: 'proposeOntology',
    tag: 'graph',
    summary: 'Propose an ontology from a sample of the corpus’s texts',
    description:
      'Kinds of entities and relations with counts and examples, from one call of the text model or, without a model, from counting. Nothing is set: review the proposal, and send it as `settings.extraction.ontology`.',
    access: ['read'],
    needsKey: true,
    body: { schema: proposeSchema, example: { by: 'counts' } },
    answers: { 200: { description: 'The proposal.', schema: ontologyProposal } },
    repeatable: true,
  }).answer(async (c, asked) => {
    return { status: 200, body: await proposeOntology(depsOf(c), asked, await askerOf(c)) }
  }),
  route({
    method: 'post',
    path: '/v1/corpora/{corpus}/guidance:propose',
    id: 'proposeGuidance',
    tag: 'graph',
    summary: 'Propose guidance and worked examples from a sample of the corpus’s texts',
    description:
      'What the texts are about, what to draw from them and what to leave out, in one call of the text model; and up to three of their passages with what is to be drawn from each, in one call each (four at most), checked like any extraction. Nothing is set: review the proposal, and send it as `settings.extraction.guidance` and `.examples`. Without a text model: 409 `conflict`.',
    access: ['read'],
    needsKey: true,
    body: { schema: proposeGuidanceSchema, example: { examples: 3 } },
    answers: { 200: { description: 'The proposal.', schema: guidanceProposal } },
    problems: ['conflict'],
    repeatable: true,
  }).answer(async (c, asked) => {
    const body = await proposeGuidance(depsOf(c), asked, await askerOf(c))
    if (!body)
      throw new Problem(
        'conflict',
        'This deployment has no text model (TEXT_MODEL), which writes guidance. An ontology can be proposed without one.',
      )
    return { status: 200, body }
  }),
]

function depsOf(c: Ctx) {
  const world = c.get('world')
  const config = configOf(world, c.get('corpus'))
  const { models } = embeddingFor(world, config)
  return { corpus: objectOf(c), config, models, key: keyKeeper(c, config.prices), later: world.later }
}
