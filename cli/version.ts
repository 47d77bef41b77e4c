/** The version of the package this command came with. */
export { version } from '../package.json'
