/** Where a text is in the file its document was read from: page, section, cells, line. */
import { formatLocation, type Located } from '../../../src/client/location'

export function Where({ place }: { readonly place: Located }) {
  const where = formatLocation(place)
  return where === '' ? null : <span class="fine">{where}</span>
}
