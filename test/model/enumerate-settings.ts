import type { Alphabet } from './enumerate-actions.ts'
import type { Setting } from './schedule.ts'

/** Every setting of a payment of a kind in which one endpoint may lie. The person in it does not matter to a search. */
export function settingsOf(kind: Setting['kind']): Setting[] {
  const settings: Setting[] = []
  for (const signedBy of ['keystore', 'external', 'contract'] as const)
    for (const liar of [0, 1] as const)
      for (const computers of [1, 2] as const)
        settings.push({ kind, signedBy, liar, computers, person: 'abandons' })
  return settings
}

/** What a search tries: everything, or a part of it, which goes deeper in the same time. */
export const ALPHABETS: Readonly<Record<string, Alphabet>> = {
  everything: {},
  'all but lies and silence': { lies: [], troubles: [] },
  'people, blocks and pools': { lies: [], troubles: [], deaths: false },
  'lies, silence and keys': {
    deeds: ['slot', 'key', 'start', 'send-shown'],
    troubles: ['refuses'],
    deaths: false,
  },
}

export const nameOfSetting = ({ kind, signedBy, liar, computers }: Setting): string =>
  `${kind}, ${signedBy}, ${liar === 0 ? 'first' : 'second'} endpoint may lie, ${computers} computer${computers === 1 ? '' : 's'}`
