/** Three short documents of three media types, for dropping. */
import type { Dropped } from './visit'

export const files: readonly Dropped[] = [
  {
    name: 'lighthouse.md',
    type: 'text/markdown',
    text: `# The lighthouse at Skarholm

The lighthouse at Skarholm was built in 1857 by Ingrid Falk. Its lamp burned whale oil until 1891, when Ingrid Falk’s son Anders Falk put in petroleum. The tower is forty metres high and stands on red granite.

The keeper, Anders Falk, wrote every storm into a log. The great storm of 1902 broke the harbour wall of Skarholm, and the log of that night is the longest.
`,
  },
  {
    name: 'harbour.txt',
    type: 'text/plain',
    text: `The harbour of Skarholm was dug by prisoners of war in 1815. Herring was salted there and sold to Lübeck and Riga. After the great storm of 1902 the harbour wall was rebuilt by the engineer Marta Lind, who used granite from the same quarry as the lighthouse.

Marta Lind also drew the first map of the reefs around Skarholm. Her map is kept in the museum of Riga.
`,
  },
  {
    name: 'museum.html',
    type: 'text/html',
    text: `<!doctype html><title>The museum of Riga</title><h1>The museum of Riga</h1><script>alert(1)</script>
<p>The museum of Riga keeps the map of the reefs that Marta Lind drew. It also keeps the log of Anders Falk, which his daughter gave away in 1931.</p>
<p>Visitors see the lamp of the lighthouse at Skarholm, a barrel of the herring trade, and a model of the harbour wall.</p>`,
  },
]
