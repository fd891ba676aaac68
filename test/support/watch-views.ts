import type { WatchRow, WatchView } from '../../src/watch/screen.ts'

const alarm = (id: string, title: string) => ({
  id,
  alarm: 'drops-out' as const,
  severity: 'critical' as const,
  title,
  what: 'Another validator has more stake.',
  command: 'bearings --validator 0x22 --topup 20000',
  since: '12:00',
  sinceMs: Date.UTC(2026, 10, 22, 12),
  acknowledged: false,
})

const row = (pubkey: WatchRow['pubkey'], parts: Partial<WatchRow>): WatchRow => ({
  pubkey,
  name: 'one',
  status: 'active',
  rank: '12 of 69',
  stake: '300,000',
  margin: '+20,000',
  source: 'proven',
  alarms: [],
  details: [
    { label: 'status', value: 'validator 2, active' },
    { label: 'in the wizard', command: 'bearings --validator 0x22' },
    { label: 'public key', whole: pubkey },
  ],
  ...parts,
})

/** Two validators, of which the first needs somebody. */
export const WATCHED: WatchView = {
  network: { kind: 'real', label: 'Berachain' },
  title: 'Watching 2 validators',
  verdict: { text: 'edge drops out of the active set.', is: 'critical' },
  rows: [
    row('0x22', { name: 'edge', alarms: [alarm('22.drops-out', 'edge drops out of the active set.')] }),
    row('0x11', { name: 'steady' }),
  ],
  others: [{ ...alarm('node', 'The node is silent.'), alarm: 'node-silent' }],
  head: 'the chain goes on',
}
