/** What the compiler finds, inside the core, in place of a library that tsconfig.json does not name: nothing to import. */
export {}
