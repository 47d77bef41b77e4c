/** Models that run on this machine, from the words that name them: found, fetched, and served. */
import { join } from 'node:path'
import { isKept, lookUp, modelsFolder, readCatalogue } from './catalogue.mjs'
import { ensureEngine } from './engine.mjs'
import { fetchModel, progressBar } from './fetch-model.mjs'
import { serveModels } from './serve.mjs'

/**
 * @param {{ word: string, kind: 'text' | 'embedding', option: string }[]} wanted `option`: the option that gave the word, for messages
 * @param {{ env: Record<string, string | undefined>, say: (text: string) => void, root: string, folder: string }} around `folder`: the state's
 */
export async function startOwnModels(wanted, { env, say, root, folder }) {
  const models = modelsFolder(env)
  const catalogue = readCatalogue()
  const files = new Map()
  for (const { word, kind, option } of wanted) {
    const { id, model, file } = found(lookUp(word, catalogue), { word, option, catalogue })
    if (model && model.kind !== kind) throw new Error(`${option}: ${id} is a model for ${model.kind === 'text' ? 'text' : 'embeddings'}`)
    if (model && !isKept(models, id, model)) {
      await fetchModel(models, id, model, {
        acceptsLicence: env.LOAM_ACCEPT_LICENCE === '1',
        mirror: env.LOAM_MODELS_MIRROR,
        index: env.PIP_INDEX_URL,
        say,
        progress: progressBar(),
      })
    }
    const path = file ?? join(models, id, model.files[0].name)
    const known = files.get(id)
    if (known && known.path !== path) throw new Error(`${option}: another model is called ${id}; rename the file`)
    files.set(id, { id, kind, path, ...(model ? { window: model.window } : {}) })
  }
  const library = await ensureEngine(models, { say })
  say(`Loading ${[...files.keys()].join(', ')} …`)
  const threads = Number(env.LOAM_MODEL_THREADS) || undefined
  const sequences = Number(env.LOAM_MODEL_SEQUENCES) || undefined
  const at = { ...(threads ? { threads } : {}), ...(sequences ? { sequences } : {}) }
  return serveModels({ root, folder, library, models: [...files.values()], ...at, say })
}

/** The model's id, as those who ask for the model use it. */
export function idOf(word) {
  return lookUp(word)?.id ?? word
}

function found(known, { word, option, catalogue }) {
  if (known) return known
  const names = Object.keys(catalogue).join(', ')
  throw new Error(
    `${option}: no model is called ${word}. Named ones: ${names} (npm run models); or a .gguf file, or a server's model with LOCAL_MODEL_URL.`,
  )
}
