import type { Session } from '../core/wizard/session.ts'
import { type NetworkSettings, ofKey, type Settings } from './settings.ts'

/**
 * Keeps what is worth knowing at the next start: the first block once it is proven, a typed key once it is, and with the
 * key of the journal, once that is open, the texts of the form that led to it.
 */
export function rememberSession(
  session: Pick<Session, 'setup' | 'facts' | 'subscribe'>,
  { settings, values }: { settings: Settings; values: Readonly<Record<string, string>> },
): void {
  const { id } = session.setup.network
  const remember = (found: NetworkSettings) => settings.remember(id, { ...settings.of(id), ...found })
  const forgetGenesis = session.subscribe(() => {
    const { genesis } = session.facts()
    if (genesis === undefined) return
    remember({ executionGenesisHash: genesis.executionGenesisHash })
    forgetGenesis()
  })
  const forgetKey = session.subscribe(() => {
    const { identity } = session.facts()
    if (identity === undefined) return
    if (identity.key.kind === 'elsewhere') remember({ pubkey: identity.pubkey })
    forgetKey()
  })
  const forgetJournal = session.subscribe(({ journal }) => {
    if (journal.status !== 'open') return
    settings.remember(ofKey(id, journal.header.pubkey), values)
    forgetJournal()
  })
}
