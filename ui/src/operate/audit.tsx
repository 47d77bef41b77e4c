/** The latest entries of the audit log, for keys that may see it. */

import { useLoad } from '../shared/load'
import { corpusAt, isStatus } from '../shared/loam'
import { Failure } from '../shared/notices'

const SHOWN = 20 // entries

export function AuditCard({ corpus }: { readonly corpus: string }) {
  const { value, fault, again } = useLoad((signal) => corpusAt(corpus, signal).audit({ limit: SHOWN }), [corpus])
  if (isStatus(fault, 403)) return null
  return (
    <section class="card" aria-labelledby="audit">
      <h2 id="audit">Audit log</h2>
      <Failure fault={fault} again={again} />
      {value?.data.length === 0 && <p class="fine">Nothing yet.</p>}
      {value && value.data.length > 0 && (
        <table class="list log">
          <caption class="visually-hidden">The latest entries of the audit log</caption>
          <thead>
            <tr>
              {['When', 'Key', 'From', 'What', 'Target', 'Outcome'].map((name) => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {value.data.map((one) => (
              <tr key={one.n}>
                <td>{one.at.slice(0, 19).replace('T', ' ')}</td>
                <td class="id">{one.key}</td>
                <td>{one.door}</td>
                <td>{one.action}</td>
                <td class="break">{one.document ?? one.subject ?? ''}</td>
                <td>{one.outcome}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
