/** The platform's point-in-time recovery of an object's SQLite. It reaches back thirty days; locally (workerd) it does not exist. */
import type { PointInTime } from '../../../src/ports/recovery'

/**
 * The part of an object's context that this uses.
 * https://developers.cloudflare.com/durable-objects/api/sqlite-storage-api/#pitr-point-in-time-recovery-api
 */
interface Session {
  readonly storage: {
    getBookmarkForTime(timestamp: number): Promise<string>
    onNextSessionRestoreBookmark(bookmark: string): Promise<string>
  }
  abort(reason?: string): void
}

export function pointInTimeOf(session: Session): PointInTime {
  return {
    async bookmarkAt(time) {
      try {
        return await session.storage.getBookmarkForTime(time)
      } catch (error) {
        if (error instanceof Error && /point-in-time|not implement|is not a function/i.test(error.message)) return null
        throw error
      }
    },
    async restoreAtNextSession(bookmark) {
      await session.storage.onNextSessionRestoreBookmark(bookmark)
    },
    restart: () => session.abort('corpus: set back to a moment'),
  }
}
