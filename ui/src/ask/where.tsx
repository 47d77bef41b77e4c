/** Where a text is in the file its document was read from: page, section, cells, line. */
import { formatLocation, type Located } from '../../../src/client/location'

interface Props {
  readonly place: Located
  /** Said beside it: a section that is only this is not said again. */
  readonly title?: string | undefined
}

export function Where({ place, title }: Props) {
  const where = formatLocation(place.section?.length === 1 && place.section[0] === title ? { ...place, section: [] } : place)
  return where === '' ? null : <span class="fine">{where}</span>
}
