/** What fields of settings and of options are made of. zod is pure, so a strategy says in one schema what a field may be and what it is unless told. */
import { z } from 'zod'

export const whole = (min: number, max: number) => z.int().min(min).max(max)
export const share = z.number().min(0).max(1)
export const flag = z.boolean()

/** What callers call a setting, where that is more than its own name in snake_case: with its unit, say. */
export const publicNames = z.registry<{ readonly name: string }>()
