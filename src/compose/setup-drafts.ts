import { absolutePath } from '../core/base/effects/node-file-fault.ts'
import type { Setup } from '../core/chain/facts.ts'
import { asksAsRealMoney, type Endpoints, type Network } from '../core/chain/network/network.ts'
import type { SetupField } from '../core/view/early-view.ts'
import type { SetupDraft } from '../core/wizard/launch/choice.ts'
import type { NetworkSettings } from './settings.ts'
import { PLACES_TEXT } from './state-directory.ts'

type FieldText = Pick<SetupField, 'label' | 'hint' | 'path' | 'found'> & {
  suggestion: string
  what: string
  who: string
}

const EXECUTION = {
  label: 'execution RPC',
  what: 'The JSON-RPC address of an execution client, such as http://127.0.0.1:8545. Balance, nonce, contract and events are read there, and the transactions are sent there.',
  who: 'You: the client’s own settings name its port.',
}

const NODE = {
  label: 'node API',
  what: 'The REST address of your beacon node, such as http://127.0.0.1:3500. The state of the chain and its proofs come from there.',
  who: 'You: [beacon-kit.node-api] in app.toml names it.',
}

const ENGINE = {
  label: 'engine RPC',
  what: 'The RPC address of the consensus engine (CometBFT), such as http://127.0.0.1:26657. It says whether the node follows the chain, and who signs.',
  who: 'You: [rpc] laddr in config.toml names it.',
}

const SECOND = {
  label: 'second execution',
  what: 'An execution endpoint of another operator. It is asked the same questions, so that one wrong endpoint cannot mislead you.',
  who: 'You. What is proposed is a public endpoint; it learns your addresses only if you accept it.',
}

function keystoreText(found: readonly string[]): FieldText {
  const some = found.length > 1 ? `found ${found.length}: Tab takes the next one; ` : ''
  return {
    label: PLACES_TEXT.keystore,
    hint: `${some}v3 file of the account that pays; empty: an external signer`,
    suggestion: found[0] ?? '',
    path: 'file',
    found,
    what: 'The encrypted key file of the account that pays the deposits. Left empty, the transaction is exported, and your own wallet signs it.',
    who: 'You. The file is read, and its password asked for, only by the signer and only when you send.',
  }
}

const INTRO = {
  fresh: 'The wizard reads the home and asks these addresses. Nothing is asked before you say so.',
  remembered:
    'The wizard reads the home and asks these addresses. Before you continue only the places are asked for, at the addresses of before.',
}

/** The form of a node: its home, and the addresses that its own files name. `keystores` were found on this computer, `home` is proposed. */
export function nodeDraft(
  network: Network,
  saved: NetworkSettings,
  keystores: readonly string[],
  home: string,
): SetupDraft {
  const { defaultEndpoints, publicExecution, names } = network
  const field = fieldMaker(saved)
  const canBeAsked = network.kind !== 'rehearsal' && saved.execution !== undefined && saved.node !== undefined
  const isRemembered = [saved.homePath, saved.execution, saved.node, saved.engine].every(
    (text) => text !== undefined,
  )
  return {
    badge: { kind: network.kind, label: network.label },
    title: `Your node for ${network.label}`,
    intro: canBeAsked ? INTRO.remembered : INTRO.fresh,
    ...(network.kind === 'rehearsal' ? {} : { places: canBeAsked ? 'asked' : 'unnamed' }),
    fields: [
      field('homePath', {
        label: 'node home',
        hint: 'the folder of the node; it is only read',
        suggestion: home,
        path: 'folder',
        what: `The folder that ${names.nodeTool} uses: it holds config/genesis.json, app.toml, config.toml and the key of the validator. Nothing is ever written there.`,
        who: `You: it is what follows --home where ${names.nodeTool} is started.`,
      }),
      field('execution', {
        ...EXECUTION,
        hint: 'of your own execution client',
        suggestion: defaultEndpoints.execution,
      }),
      field('node', { ...NODE, hint: 'of your own node', suggestion: defaultEndpoints.node }),
      field('engine', { ...ENGINE, hint: 'of your own node', suggestion: defaultEndpoints.engine }),
      field('secondExecution', {
        ...SECOND,
        hint: `of another operator, ${neededOn(network)}`,
        suggestion: publicExecution ?? '',
      }),
      field('keystore', keystoreText(keystores)),
    ],
    ...(isRemembered ? { remembered: true } : {}),
  }
}

/** Returns the form of a registered validator: its key or index, and the addresses that any computer may reach. */
export function validatorDraft(
  network: Network | { kind: 'rehearsal'; label: string },
  saved: NetworkSettings,
  { given, keystores }: { given: string; keystores: readonly string[] },
): SetupDraft {
  const known = { ...saved, ...(given === '' ? {} : { validator: given }) }
  const field = fieldMaker(known)
  const ofKey = field('validator', {
    label: PLACES_TEXT.validator,
    hint: 'its public key, 0x and 96 characters 0–9 a–f or the engine’s base64, or its index',
    suggestion: '',
    what: 'The validator that is registered already: by its public key in either form, or by its index.',
    who: 'You, from your own record. What the chain knows of it is proven afterwards.',
  })
  const badge = { kind: network.kind, label: network.label }
  const title = `A registered validator on ${network.label}`
  if (!('defaultEndpoints' in network)) {
    const intro = 'The rehearsal network that runs is asked. No node home and no key file are read.'
    return { badge, title, intro, fields: [ofKey] }
  }
  const { defaultEndpoints, publicExecution } = network
  const isRemembered = [known.validator, saved.execution, saved.node].every((text) => text !== undefined)
  return {
    badge,
    title,
    intro: 'It is watched and topped up with its public key alone: no node home and no key file are read.',
    fields: [
      ofKey,
      field('execution', {
        ...EXECUTION,
        hint: 'an execution client that follows the chain',
        suggestion: defaultEndpoints.execution,
      }),
      field('node', {
        ...NODE,
        hint: 'from afar first: ssh -N -L 3500:127.0.0.1:3500 user@node',
        suggestion: defaultEndpoints.node,
      }),
      field('secondExecution', {
        ...SECOND,
        hint: `of another operator, ${neededOn(network)}`,
        suggestion: publicExecution ?? '',
      }),
      field('engine', {
        ...ENGINE,
        hint: 'may be empty: then its votes and its set are not looked at',
        suggestion: '',
      }),
      field('keystore', keystoreText(keystores)),
    ],
    ...(isRemembered ? { remembered: true } : {}),
  }
}

function neededOn(network: Network): string {
  return asksAsRealMoney(network) ? 'needed for a top-up' : 'may be empty'
}

function fieldMaker(saved: NetworkSettings) {
  return (id: keyof NetworkSettings, { suggestion, what, who, ...text }: FieldText): SetupField => ({
    ...text,
    id,
    value: '',
    suggestion: saved[id] ?? suggestion,
    explain: { what, who, later: 'Yes, at any time: Esc in the first step leads back to this form.' },
  })
}

type Values = Readonly<Partial<Record<string, string>>>

/** Returns what a setup has of the texts of a form. */
export function typedSetup(values: Values): Pick<Setup, 'homePath' | 'endpoints' | 'keystore'> {
  const { homePath, keystore = '' } = values
  return {
    ...(homePath === undefined ? {} : { homePath: absolutePath(homePath) }),
    endpoints: endpointsIn(values),
    ...(keystore === '' ? {} : { keystore: absolutePath(keystore) }),
  }
}

/** Returns the endpoints of the texts of a form; an empty one is none. */
export function endpointsIn({
  execution = '',
  node = '',
  engine = '',
  secondExecution = '',
}: Values): Endpoints {
  return {
    execution,
    node,
    ...(engine === '' ? {} : { engine }),
    ...(secondExecution === '' ? {} : { secondExecution }),
  }
}
