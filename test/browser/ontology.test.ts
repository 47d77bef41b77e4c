/** Of the cards under Usage: where passages end, and an ontology and guidance proposed beside their editors. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faults } from './faults'
import { adminKey, api, closeWindows, looks, signIn, type Visit, visit } from './visit'

const SOON = { timeout: 20_000 } // work of the server's, on a busy machine
const TEXT =
  'Anna Berg was an engineer. Karl Stone was an engineer of the mill. Anna Berg sailed to Oslo. Karl Stone sailed to Bergen. Every harbour knew them.'

afterAll(closeWindows)

describe.each(looks.filter(({ name }) => /desktop-light|phone-dark/.test(name)))('$name', (look) => {
  const corpus = `kinds-${look.name}`
  let visitor: Visit

  beforeAll(async () => {
    visitor = await visit({ ...look, name: corpus })
    await api('PUT', `/v1/corpora/${corpus}`, {})
    const { job } = await api('PUT', `/v1/corpora/${corpus}/documents/crew`, { text: TEXT })
    await api('GET', `/v1/corpora/${corpus}/jobs/${job}?wait=20`)
    await signIn(visitor, adminKey)
  })
  afterAll(() => visitor.close())

  it('[W1642] where passages end is chosen, and kept', async () => {
    const { page, go } = visitor
    await go(`c/${corpus}/usage`)
    const ends = page.getByLabel('Passages and chunks')
    await ends.waitFor()
    expect(await ends.inputValue()).toBe('length')
    await ends.selectOption('topic')
    await expect
      .poll(async () => ((await api('GET', `/v1/corpora/${corpus}`)) as { settings?: object }).settings, SOON)
      .toMatchObject({ chunk_method: 'topic' })
    await page.reload()
    await ends.waitFor()
    expect(await ends.inputValue()).toBe('topic')
    await ends.scrollIntoViewIfNeeded()
    expect(await faults(page)).toEqual([])
  })

  it('[W1640] Propose fills the editor and says what that rests on; nothing is set before Save, and Undo gives back what was written', async () => {
    const { page, go, picture } = visitor
    await go(`c/${corpus}/usage`)
    const card = page.getByRole('region', { name: 'Kinds of names and relations' })
    const types = card.getByLabel('Types, one per line')
    const set = async () =>
      ((await api('GET', `/v1/corpora/${corpus}`)) as { settings?: { extraction?: { ontology?: unknown } } }).settings?.extraction?.ontology
    await types.fill('ship')
    await card.getByRole('button', { name: 'Propose' }).click()
    await expect.poll(() => types.inputValue(), SOON).toBe('engineer')
    expect(await card.getByLabel('Relations, one per line').inputValue()).toBe('sailed to (engineer > *)')
    expect(await card.getByRole('status').innerText()).toMatch(
      /Proposed by counting from 1 chunk of 1 document[\s\S]*engineer \(2\): Anna Berg, Karl Stone/,
    )
    expect(await set()).toBeNull()
    await card.scrollIntoViewIfNeeded()
    expect(await faults(page)).toEqual([])
    await picture('1-proposed')
    await card.getByRole('button', { name: 'Undo' }).click()
    expect([await types.inputValue(), await card.getByRole('status').count()]).toEqual(['ship', 0])
    await card.getByRole('button', { name: 'Propose' }).click()
    await expect.poll(() => types.inputValue(), SOON).toBe('engineer')
    await card.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(set, SOON)
      .toMatchObject({ mode: 'open', types: [{ name: 'engineer' }], relations: [{ name: 'sailed to', subjects: ['engineer'] }] })
  })

  it('[W1640] says so where nothing can be proposed, or it fails, and leaves what is written', async () => {
    const { page } = visitor
    const card = page.getByRole('region', { name: 'Kinds of names and relations' })
    const types = card.getByLabel('Types, one per line')
    await types.fill('ship')
    await page.route('**/ontology:propose', (route) =>
      route.fulfill({
        json: {
          by: 'counts',
          ontology: null,
          types: [],
          relations: [],
          sample: { documents: 1, chunks: 1 },
          dropped: {},
          degraded: [],
          usage: {},
        },
      }),
    )
    await card.getByRole('button', { name: 'Propose' }).click()
    await card.getByText('Nothing to propose').waitFor()
    await page.unroute('**/ontology:propose')
    await page.route('**/ontology:propose', (route) => route.fulfill({ status: 503, json: { code: 'unavailable', detail: 'Not now.' } }))
    await card.getByRole('button', { name: 'Propose' }).click()
    await card.getByText('Not now.').waitFor()
    expect(await types.inputValue()).toBe('ship')
    await page.unroute('**/ontology:propose')
  })

  it('[W1996] Propose fills guidance and examples in and says what that rests on; nothing is set before Save, Undo and Remove take it back', async () => {
    const { page, picture } = visitor
    const card = page.getByRole('region', { name: 'Guidance for reading' })
    const words = card.getByLabel('In your words')
    const shown = card.getByLabel('Examples, a blank line between two')
    const propose = card.getByRole('button', { name: 'Propose' })
    const set = async () => {
      const { settings } = (await api('GET', `/v1/corpora/${corpus}`)) as { settings?: { extraction?: Record<string, unknown> } }
      return [settings?.extraction?.guidance, settings?.extraction?.examples]
    }
    await words.fill('Ships.')
    await propose.click() // there is no text model here
    await card.getByText('no text model').waitFor()
    expect(await words.inputValue()).toBe('Ships.')
    const example = {
      text: 'Anna Berg sailed to Oslo.',
      entities: [
        { name: 'Anna Berg', type: 'engineer', description: 'a sailor' },
        { name: 'Oslo', type: 'town', description: '' },
      ],
      relations: [{ source: 'Anna Berg', target: 'Oslo', description: 'sailed to', strength: 8 }],
      document: 'crew',
    }
    const proposal = {
      domain: 'a crew',
      guidance: 'These texts: a crew.\nDraw: voyages.',
      examples: [example],
      languages: [{ language: 'en', passages: 1 }],
      sample: { documents: 1, passages: 1 },
      dropped: { instructions: 0, examples: 1, entities: 2, relations: 0 },
      degraded: [],
      usage: { in: 900, out: 100, embedded: 0 },
    }
    await page.route('**/guidance:propose', (route) => route.fulfill({ json: proposal }))
    await propose.click()
    await expect.poll(() => words.inputValue(), SOON).toBe(proposal.guidance)
    const lines = 'Anna Berg sailed to Oslo.\nAnna Berg | engineer | a sailor\nOslo | town\nAnna Berg > Oslo |  | sailed to | 8'
    expect(await shown.inputValue()).toBe(lines)
    expect(await card.getByRole('status').innerText()).toMatch(
      /from 1 passage of 1 document\. 1,000 tokens were spent[\s\S]*English \(1\)[\s\S]*crew: 2 names, 1 relation[\s\S]*1 example left out/,
    )
    expect(await set()).toEqual([null, null])
    await card.scrollIntoViewIfNeeded()
    expect(await faults(page)).toEqual([])
    await picture('2-guidance')
    await card.getByRole('button', { name: 'Undo' }).click()
    expect([await words.inputValue(), await shown.inputValue(), await card.getByRole('status').count()]).toEqual(['Ships.', '', 0])
    await propose.click()
    await expect.poll(() => words.inputValue(), SOON).toBe(proposal.guidance)
    await card.getByRole('button', { name: 'Save' }).click()
    await expect.poll(set, SOON).toEqual([proposal.guidance, [example]])
    await shown.fill(lines.replace('Oslo | town', 'Narvik | town'))
    await card.getByRole('button', { name: 'Save' }).click()
    await page.getByText('“Narvik” does not occur in').waitFor()
    expect(await shown.inputValue()).toContain('Narvik')
    await card.getByRole('button', { name: 'Remove' }).click()
    await expect.poll(set, SOON).toEqual([null, null])
    await page.unroute('**/guidance:propose')
  })
})
