/** Files as text for a corpus: by reading them or, if they contain none, by a model's description, if the corpus has that switched on. */
import { describing } from '../flows/describe-file'
import type { Actor } from '../ports/audit'
import type { Converter } from '../ports/conversion'
import { openScan } from '../reading/pdf/scan-pages'
import { flawOf, pictureTypeOf } from '../reading/pictures'
import { heardAsProse, recordingTypeOf, soundOfVideo } from '../reading/recordings'
import { callAs } from './acting'
import { actorOf, type Ctx } from './context'
import { keyKeeper } from './key-limits'

/** `uid`: of the corpus that the file is for. `by`: who is charged for it; absent: the key that asks. */
export function converterOf(c: Ctx, uid: string, by: Actor = actorOf(c)): Converter {
  const { convert, seer, describer, transcriber, corpus, later } = c.get('world')
  const hearing = { transcriber, recordingTypeOf, soundOfVideo, heardAsProse }
  return describing(convert, {
    corpus: callAs(corpus(uid), by),
    seer,
    describer,
    hearing,
    looking: { pictureTypeOf, flawOf, openScan },
    key: (prices) => keyKeeper(c, prices),
    later,
  })
}
