/**
 * What Cloudflare refuses, in one table: the only place where a limit of the platform is written. The stand-ins of `local/` refuse by it,
 * and the code that has to stay within it reads the same constant. Marks: DOCS, documented; LIVE, seen in production with the words
 * quoted; SOURCE, read in workerd or workers-sdk; SAFE, unconfirmed, so a value that keeps well within what was seen. Bytes are UTF-8.
 * This file holds numbers and the platform's own words, and decides nothing.
 */

const KiB = 1024
const MiB = 1024 * KiB

/** https://developers.cloudflare.com/vectorize/platform/limits/ */
export const vectorizeLimits = {
  maxUpsertVectors: 1000, // a call of the binding (DOCS)
  maxUpsertBytes: 100 * MiB, // a body (DOCS)
  safeUpsertVectors: 200, // SAFE: 1,000 vectors of 1,536 floats are a body of 30 MB, beside which an isolate of 128 MB holds little else
  maxDeleteIds: 100, // LIVE: 40007, nothing is deleted
  maxGetIds: 20, // LIVE: 40007
  maxTopK: 100, // LIVE
  maxTopKWithPayload: 50, // with values or all metadata (LIVE: 40025)
  maxIdBytes: 64, // LIVE: 40008
  maxNamespaceBytes: 64, // DOCS
  maxMetadataBytes: 10 * KiB, // a vector (DOCS; LIVE: 40023)
  maxIndexedBytes: 64, // of a string that a filter sees (DOCS)
  maxFilterBytes: 2048, // compact JSON, exclusive (DOCS)
  maxFilterKeyLength: 512, // characters (DOCS)
  maxDimensions: 1536, // DOCS
  maxVectors: 10_000_000, // an index (DOCS)
  maxNamespaces: 50_000, // an index of the paid plan; 1,000 on the free one (DOCS)
  visibleAfterMs: 30_000, // the median is below this, p99 below two minutes (DOCS)
} as const

/** https://developers.cloudflare.com/workers-ai/platform/limits/ */
export const aiLimits = {
  textCallsPerMinute: 300, // text generation (DOCS; LIVE: 3021)
  embeddingCallsPerMinute: 3000, // text embeddings; 1,500 for some models (DOCS)
  rerankCallsPerMinute: 3000, // as embeddings (DOCS)
  rateWindowMs: 60_000, // the minute that calls are counted in; it may slide or stand (SAFE: as if it slid)
  maxEmbeddingTexts: 100, // a call (LIVE)
  maxEmbeddingTokens: 60_000, // a call, all texts together (SAFE: unconfirmed for bge-m3)
  maxTextTokens: 8192, // of one text, bge-m3; longer ones are refused unless `truncate_inputs` is true (DOCS)
  maxEnglishTextTokens: 512, // of one text, bge-*-en (DOCS)
  defaultMaxTokens: 256, // of a reply when the caller names none (LIVE)
  maxRerankContexts: 100, // SAFE
  freeNeuronsPerDay: 10_000, // DOCS
  timeoutMs: 120_000, // 70B models end here; 235 s and 544 s were seen with others (LIVE)
} as const

/** https://developers.cloudflare.com/workers-ai/features/markdown-conversion/ */
export const conversionLimits = {
  maxPictures: 10, // of one PDF; those beyond are left out (DOCS, of 2025; not named since)
  describer: '@cf/google/gemma-3-12b-it', // which describes pictures, told by @cf/facebook/detr-resnet-50 what is on them (DOCS)
  languages: ['en', 'it', 'de', 'es', 'fr', 'pt'], // of descriptions, at best effort (DOCS)
  pictureTokens: 2048, // that a picture is read as, with the prompt around it (SAFE: unconfirmed; the model itself makes 256 of one)
  replyTokens: 2048, // of one description (SAFE: unconfirmed)
} as const

/** https://developers.cloudflare.com/workers-ai/models/gemma-4-26b-a4b-it/, and other models that take pictures as `image_url` with a `data:` address */
export const visionLimits = {
  model: '@cf/google/gemma-4-26b-a4b-it', // sees (DOCS), and its licence (Apache 2.0) excludes nobody from that, as those of Llama 3.2 and 4 do
  maxBytes: 7 * MiB, // of a picture: 10 MB in base64 (SAFE: no limit is documented but for batches, 10 MB)
  maxPoints: 50_000_000, // of a picture (SAFE: what models are served with refuses some more)
  pictureTokens: 6404, // that a picture is counted as, at most (DOCS, of 2025)
  promptTokens: 600, // of what is asked about it (MEAS: 400)
  replyTokens: 4096, // of what it may write: a dense page has 1,500 (SAFE)
} as const

/** https://developers.cloudflare.com/workers-ai/models/whisper-large-v3-turbo/ */
export const transcriptionLimits = {
  model: '@cf/openai/whisper-large-v3-turbo',
  maxBytes: 8 * MiB, // of a recording (SAFE: no limit is documented; memory and time are said to end large ones)
  tokensPerSecond: 50, // of sound, as the model reads it: windows of 30 s, 1,500 places each
  // the least a second of speech takes, by which it is covered before its length is known (SAFE)
  bytesPerSecond: { 'audio/mpeg': 1000, 'audio/wav': 8000, 'audio/mp4': 750, 'audio/ogg': 750, 'audio/webm': 750, 'audio/flac': 2000 },
} as const

/** https://developers.cloudflare.com/d1/platform/limits/ */
export const d1Limits = {
  maxBoundParameters: 100, // a statement (MEAS)
  maxStatementBytes: 100_000, // MEAS
  maxRowBytes: 2_000_000, // also of one string or blob (DOCS)
  maxDatabaseBytes: 10_000_000_000, // paid; 500 MB free. Reads fail too (LIVE)
  maxFreeDatabaseBytes: 500_000_000,
  maxCallsPerInvocation: 1000, // a batch counts once (LIVE)
  safeCallsPerInvocation: 50, // what the documentation promises on the free plan (DOCS)
  maxCompoundTerms: 5, // of one compound SELECT (MEAS)
  maxLikeBytes: 50, // of a LIKE or GLOB pattern (MEAS)
  maxColumns: 100, // of a table or a result (MEAS)
} as const

/**
 * What D1 says, behind `D1_ERROR: `, when it fails for the platform's reasons.
 * https://developers.cloudflare.com/d1/observability/debug-d1/
 */
export const d1Errors = {
  // Of one invocation; the next may go on (LIVE).
  calls: ['Too many API requests by single Worker invocation.'],
  // Reads are refused, too (LIVE).
  full: ['Exceeded maximum DB size', 'database or disk is full'],
  // It answers too much at once: fewer, and later (DOCS).
  overloaded: ['D1 DB is overloaded. Requests queued for too long.', 'D1 DB is overloaded. Too many requests queued.'],
  // It was reset over what it was doing, and may not answer for a minute (DOCS; LIVE: 60 to 80 s).
  heavy: [
    'D1 DB storage operation exceeded timeout which caused object to be reset.',
    "D1 DB's isolate exceeded its memory limit and was reset.",
    'D1 DB exceeded its CPU time limit and was reset.',
  ],
  // What was asked may have been done although no answer came; asking again soon is answered (DOCS).
  lost: [
    'Network connection lost.',
    'D1 DB reset because its code was updated.',
    'Internal error in D1 DB storage caused object to be reset.',
    'Internal error while starting up D1 DB storage caused object to be reset.',
    'Cannot resolve D1 DB due to transient issue on remote node.',
  ],
  // Ours to avoid: the same again would be refused again (MEAS).
  refused: ['too many SQL variables', 'statement too long', 'string or blob too big', 'LIKE or GLOB pattern too complex'],
} as const

/** https://developers.cloudflare.com/durable-objects/platform/limits/ */
export const objectLimits = {
  maxMemoryBytes: 128 * MiB, // of the isolate, its script and array buffers included (DOCS)
  maxStorageBytes: 10_000_000_000, // SQLITE_FULL beyond (DOCS)
  maxRowBytes: 2_000_000, // a row, string or blob (DOCS)
  maxBoundParameters: 100, // a statement (DOCS)
  maxRpcBytes: 32 * MiB, // arguments or a result, serialised (MEAS)
  maxAlarmMs: 15 * 60_000, // wall time of an alarm (DOCS)
  maxAlarmRetries: 6, // then the alarm is deleted (SOURCE)
  maxConcurrencyBlockMs: 30_000, // blockConcurrencyWhile (MEAS)
  maxStorageOperationMs: 30_000, // a durable write (SOURCE)
  maxRequestsPerSecond: 1000, // soft; then "overloaded" (DOCS)
} as const

/**
 * How messages begin of calls to an object that fail for the platform's reasons.
 * https://developers.cloudflare.com/durable-objects/observability/troubleshooting/
 */
export const objectErrors = {
  // Trying again at once makes it worse (DOCS).
  overloaded: ['Durable Object is overloaded', 'Your account is generating too much load on Durable Objects'],
  // The instance is gone and another is there: a new stub reaches it. Whether the call was carried out is unknown (DOCS).
  replaced: ['Connection closed: this Durable Object instance is no longer active', 'Network connection lost'],
  // The same. Seen from inside, every call to the storage fails until the invocation is over (LIVE).
  updated: ['Durable Object reset because its code was updated', 'This script has been upgraded'],
  // It was reset over what it was doing: the same again would end the same (LIVE; SOURCE; MEAS).
  reset: [
    "Durable Object's isolate exceeded its memory limit",
    'Durable Object exceeded its CPU time limit',
    'Durable Object storage operation exceeded timeout',
    'A call to blockConcurrencyWhile() in a Durable Object waited for too long',
  ],
} as const

/** SQLite's own words, in an object and in D1, where nothing more fits onto the disk (SOURCE; cloudflare-docs#29058). */
export const diskFull = 'database or disk is full'

/** Where an object may be asked to be. https://developers.cloudflare.com/durable-objects/reference/data-location/ (DOCS) */
export const objectPlaces = {
  jurisdictions: ['eu', 'us', 'fedramp'],
  locationHints: ['wnam', 'enam', 'sam', 'weur', 'eeur', 'apac', 'oc', 'afr', 'me'],
} as const

/** Of one corpus (ours): each question asks every partition, and a Worker keeps a few calls open at once. */
export const partitionLimits = {
  max: 64,
} as const

/** https://developers.cloudflare.com/workflows/reference/limits/ */
export const workflowLimits = {
  maxStepResultBytes: MiB, // ends the run (LIVE)
  maxPayloadBytes: MiB, // of an event (DOCS)
  stepTimeoutMs: 10 * 60_000, // the default. The callback runs on, and what it writes lands in the next attempt (LIVE)
  stepRetries: 5, // the default, ten seconds and doubling (DOCS)
  maxSteps: 10_000, // by default on the paid plan; 1,024 on the free one (SOURCE)
  maxStepNameLength: 256, // MEAS
  maxIdLength: 100, // [a-zA-Z0-9_][a-zA-Z0-9-_]* (MEAS)
  maxBatch: 100, // instances of one createBatch (SAFE)
} as const

/** https://developers.cloudflare.com/queues/platform/limits/ */
export const queueLimits = {
  maxMessageBytes: 128_000, // DOCS
  messageOverheadBytes: 100, // of each message, the platform's own (DOCS: about)
  maxBatchMessages: 100, // DOCS
  maxBatchBytes: 256_000, // DOCS
  maxDelaySeconds: 86_400, // DOCS
} as const

/** https://developers.cloudflare.com/workers/platform/limits/ and /r2/platform/limits/ */
export const workerLimits = {
  maxMemoryBytes: 128 * MiB, // DOCS
  maxSubrequests: 10_000, // an invocation of the paid plan; 50 on the free one (DOCS)
  safeSubrequests: 1000, // an invocation of the free plan, to Cloudflare's own services (DOCS); a Workflow's instance may count as one
  maxConnections: 6, // at once, of one invocation, while headers are awaited (DOCS)
  safeConnections: 4, // SAFE: bodies read late were seen to hold one, too (LIVE)
  maxUrlBytes: 16 * KiB, // DOCS
  maxCronMs: 15 * 60_000, // wall time of a scheduled run (DOCS)
  maxR2DeleteKeys: 1000, // SAFE
  maxR2ListKeys: 1000, // 10022 beyond (MEAS)
} as const
