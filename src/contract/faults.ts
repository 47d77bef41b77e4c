/** Why there is no answer, and why a model gave nothing. */

/** Why a question is not answered. */
export type RefusalCode = 'strategy_not_enabled' | 'behind' | 'gone' | 'filter_unknown' | 'expansion_unavailable'

/**
 * Why a model gave nothing. Codes, never texts: an upstream message may quote the document.
 * capacity: try again soon · quota: not before `retryAfter` · too_large: this input never · timeout, down: try again ·
 * invalid: the reply does not parse · missing: no such model is configured
 */
export type ModelFault = 'capacity' | 'quota' | 'too_large' | 'timeout' | 'down' | 'invalid' | 'missing'
