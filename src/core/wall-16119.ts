import type { Message } from '../ports/models'
export type Kept = Message