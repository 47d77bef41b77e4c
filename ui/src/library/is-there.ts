import { corpusAt, isStatus } from '../shared/loam'

/** Is there a corpus with this name? Deleted ones do not count. */
export async function isThere(name: string): Promise<boolean> {
  try {
    const { status } = await corpusAt(name).info()
    return status !== 'deleted' && status !== 'deleting' // the server reports this while a deleted one keeps its name
  } catch (error) {
    if (isStatus(error, 404)) return false
    throw error
  }
}
