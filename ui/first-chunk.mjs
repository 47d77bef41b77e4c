/**
 * Everything that the first script imports, as one chunk. esbuild makes a chunk for each set of modules that the same parts import: the
 * first script would then consist of twenty small files. Every later part needs all of it, since it runs within it; once each part says so,
 * there is only one set.
 */
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { build } from 'esbuild'

/** @param {import('esbuild').BuildOptions & { absWorkingDir: string }} options with the first script as their first entry */
export async function firstTogether(options, first) {
  const { metafile } = await build({ ...options, write: false, metafile: true })
  const later = laterParts(metafile)
  return {
    name: 'first-together',
    setup({ onLoad }) {
      onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        if (!later.has(path)) return undefined
        const importFirst = `\nimport ${JSON.stringify(join(options.absWorkingDir, first))}\n`
        return { contents: readFileSync(path, 'utf8') + importFirst, loader: extname(path).slice(1) }
      })
    },
  }

  /** Our own modules that are imported on demand. */
  function laterParts({ inputs }) {
    const wanted = Object.values(inputs).flatMap(({ imports }) => imports.filter(({ kind }) => kind === 'dynamic-import'))
    return new Set(
      wanted.map(({ path }) => join(options.absWorkingDir, path)).filter((path) => path.startsWith(join(options.absWorkingDir, 'src'))),
    )
  }
}
