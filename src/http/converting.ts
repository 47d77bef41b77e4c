/** Files as text for a corpus: by reading them or, if they contain none, by a model's description, if the corpus has that switched on. */
import { describing } from '../flows/describe-file'
import type { Actor } from '../ports/audit'
import type { Converter } from '../ports/conversion'
import { pictureTypeOf } from '../reading/pictures'
import { heardAsProse, recordingTypeOf } from '../reading/recordings'
import { callAs } from './acting'
import { actorOf, type Ctx } from './context'
import { keyKeeper } from './key-limits'

/** `uid`: of the corpus that the file is for. `by`: who is charged for it; absent: the key that asks. */
export function converterOf(c: Ctx, uid: string, by: Actor = actorOf(c)): Converter {
  const { convert, describer, transcriber, corpus, later } = c.get('world')
  const hearing = { transcriber, recordingTypeOf, heardAsProse }
  return describing(convert, {
    corpus: callAs(corpus(uid), by),
    describer,
    hearing,
    pictureTypeOf,
    key: (prices) => keyKeeper(c, prices),
    later,
  })
}
