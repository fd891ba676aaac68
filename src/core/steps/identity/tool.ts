import type { Setup } from '../../facts.ts'
import { type Hex, sameHex } from '../../format/hex.ts'
import { safeText } from '../../format/text.ts'
import { engineKey } from '../../identity/engine-key.ts'
import type { ToolKeys } from '../../identity/tool-output.ts'
import { known, type Observation, type Seen } from '../observation.ts'
import { factRow } from '../rows.ts'
import type { FactRow, Problem } from '../view.ts'

/** What the node tool says of the home, where it is installed and has an answer. */
export type ToolAnswers = {
  /** The key that it reads there, in three forms. */
  toolKeys: ToolKeys
  /** The engine that `client.toml` names, as it describes itself. `network` is not yet safe to draw. */
  toolStatus: { network: string; height: bigint; catchingUp: boolean; pubkey: Hex }
}

export const TOOL_KEYS = ['toolKeys', 'toolStatus'] as const

type Key = { pubkey: Hex; address: string }

/** How each answer is judged, against the key that is registered and the network. */
const toolJudges = {
  toolKeys: (value: ToolAnswers['toolKeys'], key: Key | undefined) =>
    key !== undefined &&
    sameHex(value.pubkey, key.pubkey) &&
    value.address === key.address &&
    value.uncompressedBase64 === engineKey(key.pubkey),
  toolStatus: (value: ToolAnswers['toolStatus'], key: Key | undefined, { network }: Setup) =>
    value.network === network.engineChainId && key !== undefined && sameHex(value.pubkey, key.pubkey),
}

/**
 * Whether the node tool leaves the gate open: it may be absent, unable or silent, but never disagree. As long as it is
 * being asked it may still do so.
 */
export function toolAgrees({ toolKeys, toolStatus }: Seen<ToolAnswers>, key: Key, setup: Setup): boolean {
  return (
    holds(toolKeys, (value) => toolJudges.toolKeys(value, key)) &&
    holds(toolStatus, (value) => toolJudges.toolStatus(value, key, setup))
  )
}

function holds<T>(seen: Observation<T>, judge: (value: T) => boolean): boolean {
  return seen.status === 'known' ? judge(seen.value) : seen.status !== 'asking'
}

/** What the node tool says of the home; nothing where it is not installed. */
export function toolRows(
  { toolKeys, toolStatus }: Seen<ToolAnswers>,
  key: Key | undefined,
  setup: Setup,
): FactRow[] {
  const rows = [
    factRow({
      id: 'toolKeys',
      label: 'node tool key',
      observation: toolKeys,
      judge: (value) => toolJudges.toolKeys(value, key),
      say: (value) => keysText(value, key),
      explain: {
        what: 'The same key, read by the node tool. Its engine address, its base64 form and its compressed form must equal the ones computed here.',
        who: 'The node tool, run in this home (deposit validator-keys).',
        later: 'Never for this validator.',
      },
    }),
    factRow({
      id: 'toolStatus',
      label: 'node tool status',
      observation: toolStatus,
      judge: (value) => toolJudges.toolStatus(value, key, setup),
      say: (value) => statusText(value, key),
      explain: {
        what: 'The engine that client.toml of this home names: its network, its height and the key it signs with.',
        who: 'The node tool, which asks that engine (status).',
        later: 'Yes: `node` in config/client.toml.',
      },
    }),
  ]
  const seen = { toolKeys, toolStatus }
  return rows.filter((_, at) => {
    const id = TOOL_KEYS[at]
    return id !== undefined && isTold(seen[id])
  })
}

function isTold(seen: Observation<unknown>): boolean {
  return seen.status !== 'unasked' || seen.words !== undefined
}

function keysText(value: ToolKeys, key: Key | undefined): string {
  if (key === undefined || !sameHex(value.pubkey, key.pubkey)) return 'another key'
  if (value.address !== key.address) return 'another engine address'
  return toolJudges.toolKeys(value, key) ? 'the same in all three forms' : 'another key in base64'
}

function statusText(
  { network, height, catchingUp, pubkey }: ToolAnswers['toolStatus'],
  key: Key | undefined,
): string {
  const own = key !== undefined && sameHex(pubkey, key.pubkey) ? 'this key' : 'another key'
  return `${safeText(network, 40)}, ${own}, height ${height}${catchingUp ? ', catching up' : ''}`
}

/** What of it stops a registration. */
export function toolProblem(
  { toolKeys, toolStatus }: Seen<ToolAnswers>,
  key: Key,
  setup: Setup,
): Problem | undefined {
  const { label, engineChainId, names } = setup.network
  const keys = known(toolKeys)
  if (keys !== undefined && !toolJudges.toolKeys(keys, key)) {
    return {
      title: `Stop: ${names.nodeTool} reads another key from this home.`,
      money: 'untouched',
      values: [
        { label: 'key, as read here', value: key.pubkey },
        { label: 'its engine address', value: key.address },
        { label: 'key, by the node tool', value: keys.pubkey },
        { label: 'its engine address', value: keys.address },
      ],
      lines: ['The two must agree in every form before anything is signed with this key.'],
      next: [`use the ${names.nodeTool} of the version that the node runs, press r`],
    }
  }
  const status = known(toolStatus)
  if (status === undefined || toolJudges.toolStatus(status, key, setup)) return undefined
  return {
    title: `Stop: client.toml of this home leads to another node.`,
    money: 'untouched',
    values: [
      { label: 'network, expected', value: `${engineChainId} (${label})` },
      { label: 'network, by the node tool', value: safeText(status.network, 60) },
      { label: 'key, expected', value: key.pubkey },
      { label: 'key, by the node tool', value: status.pubkey },
    ],
    lines: ['The engine that it names is of another network, or signs with another key than this one.'],
    next: ['set `node` in config/client.toml to the engine of this home’s node, press r'],
  }
}
