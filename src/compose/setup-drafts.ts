import type { Network } from '../core/network/network.ts'
import type { FieldView } from '../core/steps/view.ts'
import type { SetupDraft } from '../hooks/launcher.tsx'
import type { NetworkSettings } from './settings.ts'

type FieldText = { label: string; hint: string; suggestion: string }

const KEYSTORE: FieldText = {
  label: 'keystore',
  hint: 'v3 file of the account that pays; empty: a wallet elsewhere signs',
  suggestion: '~/.foundry/keystores/',
}

/** The form of a node: its home, and the addresses that its own files name. */
export function nodeDraft(network: Network, saved: NetworkSettings): SetupDraft {
  const { defaultEndpoints, publicExecution, names } = network
  const field = fieldMaker(saved)
  return {
    badge: { kind: network.kind, label: network.label },
    title: `Your node for ${network.label}`,
    intro: 'The wizard reads the home and asks these addresses. Nothing is asked before you continue.',
    fields: [
      field('homePath', {
        label: 'node home',
        hint: 'the folder of the node; it is only read',
        suggestion: `~/.${names.nodeTool}`,
      }),
      field('execution', {
        label: 'execution RPC',
        hint: 'of your own execution client',
        suggestion: defaultEndpoints.execution,
      }),
      field('node', { label: 'node API', hint: 'of your own node', suggestion: defaultEndpoints.node }),
      field('engine', { label: 'engine RPC', hint: 'of your own node', suggestion: defaultEndpoints.engine }),
      field('secondExecution', {
        label: 'second execution',
        hint: `of another operator, ${neededOn(network)}`,
        suggestion: publicExecution ?? '',
      }),
      field('keystore', KEYSTORE),
    ],
  }
}

/** The form of a registered validator: its key or index, and the addresses that any computer may reach. */
export function validatorDraft(
  network: Network | { kind: 'rehearsal'; label: string },
  saved: NetworkSettings,
  given: string,
): SetupDraft {
  const field = fieldMaker({ ...saved, ...(given === '' ? {} : { validator: given }) })
  const ofKey = field('validator', {
    label: 'validator',
    hint: 'its public key, 0x and 96 digits or the engine’s base64, or its index',
    suggestion: '',
  })
  const badge = { kind: network.kind, label: network.label }
  const title = `A registered validator on ${network.label}`
  if (!('defaultEndpoints' in network)) {
    const intro = 'The rehearsal network that runs is asked. No node home and no key file are read.'
    return { badge, title, intro, fields: [ofKey] }
  }
  const { defaultEndpoints, publicExecution } = network
  return {
    badge,
    title,
    intro: 'It is watched and topped up with its public key alone: no node home and no key file are read.',
    fields: [
      ofKey,
      field('execution', {
        label: 'execution RPC',
        hint: 'an execution client that follows the chain',
        suggestion: defaultEndpoints.execution,
      }),
      field('node', {
        label: 'node API',
        hint: 'from afar first: ssh -N -L 3500:127.0.0.1:3500 user@node',
        suggestion: defaultEndpoints.node,
      }),
      field('secondExecution', {
        label: 'second execution',
        hint: `of another operator, ${neededOn(network)}`,
        suggestion: publicExecution ?? '',
      }),
      field('engine', {
        label: 'engine RPC',
        hint: 'may be empty: then its votes and its set are not looked at',
        suggestion: '',
      }),
      field('keystore', KEYSTORE),
    ],
  }
}

function neededOn({ kind }: Network): string {
  return kind === 'real' ? 'needed for a top-up' : 'may be empty'
}

function fieldMaker(saved: NetworkSettings) {
  return (id: keyof NetworkSettings, { label, hint, suggestion }: FieldText): FieldView => ({
    id,
    label,
    value: '',
    hint,
    suggestion: saved[id] ?? suggestion,
    explain: { what: hint, who: 'You.', later: 'Yes, by starting again.' },
  })
}
