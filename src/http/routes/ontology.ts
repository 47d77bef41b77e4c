/** An ontology is a setting of its corpus; here one is proposed, and nothing is set. */
import { ontologyProposal, proposeSchema } from '../../contract/ontology-proposal'
import { proposeOntology } from '../../flows/propose-ontology'
import { askerOf } from '../asker'
import { objectOf } from '../context'
import { configOf, embeddingFor } from '../corpus-config'
import { keyKeeper } from '../key-limits'
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
    const world = c.get('world')
    const config = configOf(world, c.get('corpus'))
    const { models } = embeddingFor(world, config)
    const deps = { corpus: objectOf(c), config, models, key: keyKeeper(c, config.prices), later: world.later }
    return { status: 200, body: await proposeOntology(deps, asked, await askerOf(c)) }
  }),
]
