/** The compiler's arguments that `npm run check` and `npm run test:browser` share: what one has read and found right, the other does not read again. */

/**
 * @param {string} project a folder with a tsconfig.json, or such a file
 * @param {string} name under which what is known of it is kept
 * @returns {string[]}
 */
export const types = (project, name) => ['-p', project, '--incremental', '--tsBuildInfoFile', `node_modules/.cache/types/${name}.json`]
