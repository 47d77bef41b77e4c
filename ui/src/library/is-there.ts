import { corpusAt, isStatus } from '../shared/loam'

/** Is there a corpus of this name? Not one that is deleted. */
export async function isThere(name: string): Promise<boolean> {
  try {
    const { status } = await corpusAt(name).info()
    return status !== 'deleted' && status !== 'deleting' // the server says so where a deleted one keeps its name
  } catch (error) {
    if (isStatus(error, 404)) return false
    throw error
  }
}
