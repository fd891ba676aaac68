import { BaseError } from '../../core/base/errors/base.ts'
import { formatCount } from '../../core/base/format/amount.ts'
import { endpointName } from '../../core/base/format/endpoint-url.ts'
import { type Hex, sameHex } from '../../core/base/format/hex.ts'
import type { NodeSetup } from '../../core/chain/facts.ts'
import { keyOfEngine } from '../../core/chain/identity/engine-key.ts'
import { keyPlaceOf } from '../../core/chain/identity/home-files.ts'
import { readNodeSettings } from '../../core/chain/identity/node-settings.ts'
import { readTypedKey } from '../../core/chain/identity/typed-key.ts'
import { COMMITS_BEFORE_A_START } from '../../core/chain/network/network.ts'
import { createEngineClient, type EngineClient } from '../../core/clients/engine/client.ts'
import { getEngineStatus } from '../../core/clients/engine/get-status.ts'
import { askStandby } from '../../core/observe/ask-standby.ts'
import { clientsOf } from '../../core/observe/context.ts'
import { STOP_OTHER } from '../../core/observe/findings.ts'
import {
  ASK_OWN_ENGINE,
  isStateAhead,
  judgeStandby,
  REPLACE_STATE,
  type Standby,
  standbyNumbers,
  standbyWords,
  stateAheadWords,
} from '../../core/observe/standby.ts'
import type { Call } from '../command.ts'
import { namedValidator } from '../outlook-rows.ts'
import type { ReportEnding } from '../report.ts'
import type { ReportRow } from '../report-lines.ts'
import { doctorRow, unknownRow } from './doctor-row.ts'
import { settingRow } from './settings.ts'

const GIVE_SECOND =
  'start the own node with another key, or give --second-engine: the engine RPC of another node on this chain'

/** What the rows come to. */
export function standbySentence({ is, which }: ReportEnding): string {
  switch (is) {
    case 'yes':
      return 'Nothing shows that this key signs anywhere but here.'
    case 'no':
      return `Do not start a node with this key: see "${which}".`
    case 'unknown':
      return 'Whether this key signs elsewhere is not known: start no node with it yet.'
  }
}

/** The key that a node is to be started with; `isHere` where it is that of the home. */
type Asked = { pubkey: Hex; address: string; isHere: boolean }

/**
 * Whether the key of the home, or the one that is named, signs somewhere: what there is to know before a node is started with it.
 * The own node may be stopped, or run with another key. Throws as `namedValidator`.
 */
export async function standbyRows(call: Call, setup: NodeSetup): Promise<ReportRow[]> {
  const asked = await keyAskedFor(call, setup)
  if (asked === undefined)
    return [
      doctorRow('identity', 'standby-key', {
        mark: 'unknown',
        value: 'the home has no key that can be read: name one with --validator PUBKEY',
        source: '',
      }),
    ]
  const { pubkey, isHere } = asked
  const value = isHere ? 'of this home' : 'named; not that of this home'
  const key = doctorRow('identity', 'standby-key', { mark: 'given', value, source: 'node home' })
  return [
    { ...key, long: pubkey },
    ...(await voteRows(call, setup, asked)),
    ...(await doubleSignRows(call, setup)),
  ]
}

async function keyAskedFor(call: Call, setup: NodeSetup): Promise<Asked | undefined> {
  const named = await namedValidator(call, setup)
  const ofHome = await keyOfHome(call, setup)
  if (named === undefined) return ofHome && { ...ofHome, isHere: true }
  const read = readTypedKey(named.pubkey)
  if (!('key' in read)) return undefined
  return { ...read.key, isHere: ofHome !== undefined && sameHex(ofHome.pubkey, named.pubkey) }
}

async function voteRows(call: Call, setup: NodeSetup, asked: Asked): Promise<ReportRow[]> {
  const { effects, options } = call
  const { engine, node } = clientsOf({ effects, setup })
  const second = options['second-engine']
  const otherEngine = second === undefined ? undefined : createEngineClient(effects, second)
  const source = endpointName(setup.endpoints.engine)
  try {
    const standby = await askStandby(effects, {
      endpoints: { engine, node, otherEngine },
      address: asked.address,
      runs: await runsWith(engine, asked.pubkey),
      homePath: asked.isHere ? setup.homePath : undefined,
      blocks: COMMITS_BEFORE_A_START,
    })
    return [votesRow(standby, setup), stateRow(standby, setup)]
  } catch (thrown) {
    const row = unknownRow('identity', 'standby', { thrown, source })
    return [{ ...row, next: (second === undefined ? undefined : row.next) ?? GIVE_SECOND }]
  }
}

/** Whether the own engine votes with a key; false where it has another one, undefined where it doesn't answer or vote. */
async function runsWith(engine: EngineClient, pubkey: Hex): Promise<boolean | undefined> {
  try {
    const { publicKey, catchingUp } = await getEngineStatus(engine)
    if (!sameHex(keyOfEngine(publicKey.value, engine), pubkey)) return false
    return catchingUp ? undefined : true
  } catch (thrown) {
    if (thrown instanceof BaseError) return undefined
    throw thrown
  }
}

const MARKS = { true: 'proven', false: 'refused' } as const

function votesRow(standby: Standby, { network }: NodeSetup): ReportRow {
  const is = judgeStandby(standby, network)
  return doctorRow('identity', 'standby', {
    mark: is === undefined ? 'unknown' : MARKS[`${is}`],
    value: standbyWords(standby, network),
    source: standby.votes.by,
    numbers: standbyNumbers(standby),
    next: is === false && isStateAhead(standby, network) !== true ? STOP_OTHER : ASK_OWN_ENGINE,
  })
}

/** The file that keeps a node from voting twice, beside the chain: an old copy of it does not. */
function stateRow(standby: Standby, { network }: NodeSetup): ReportRow {
  const { votes, signedTo } = standby
  const shape = ['identity', 'key-state'] as const
  if (signedTo === undefined)
    return doctorRow(...shape, {
      mark: 'unasked',
      value: 'not looked at: the home has another key, or none',
      source: 'node home',
    })
  const ahead = stateAheadWords(standby, network)
  if (ahead !== undefined)
    return doctorRow(...shape, {
      mark: isStateAhead(standby, network) === true ? 'refused' : 'unknown',
      value: `${ahead}: a node with it signs nothing until then`,
      source: 'node home',
      numbers: { signedHeight: signedTo, headHeight: votes.head },
      next: REPLACE_STATE,
    })
  const isStale = votes.vote !== undefined && votes.vote.height > signedTo
  return doctorRow(...shape, {
    mark: isStale ? 'refused' : 'given',
    value: stateWords({ signedTo, head: votes.head, vote: votes.vote?.height }),
    source: 'node home',
    numbers: { signedHeight: signedTo, headHeight: votes.head },
    next: 'stop the node that signs, then copy its data/priv_validator_state.json as it is afterwards: an old copy does not keep a node from voting twice',
  })
}

function stateWords({ signedTo, head, vote }: { signedTo: bigint; head: bigint; vote: bigint | undefined }) {
  const here = signedTo === 0n ? 'signed nothing yet' : `signed up to block ${formatCount(signedTo)}`
  const behind =
    head > signedTo
      ? `, ${formatCount(head - signedTo)} before the newest, ${formatCount(head)}`
      : ', as far as the chain is'
  if (vote !== undefined && vote > signedTo)
    return `stale: ${here}, and the key voted for block ${formatCount(vote)} since`
  return signedTo === 0n ? here : `${here}${behind}`
}

/** Whether the node itself looks for votes of its key before it starts. Nothing where the home cannot be read. */
async function doubleSignRows({ effects }: Call, { homePath }: NodeSetup): Promise<ReportRow[]> {
  const place = {
    file: 'config/config.toml',
    section: 'consensus',
    key: 'double_sign_check_height',
  } as const
  try {
    const found = (await readNodeSettings(effects, { homePath }))(place)
    const verdict = /^[1-9]/.test(found.value ?? '') ? 'good' : 'told'
    return [settingRow('double_sign_check_height', { place, found, verdict })]
  } catch (thrown) {
    if (thrown instanceof BaseError) return []
    throw thrown
  }
}

/**
 * Returns the public half of the key of a home, which the signer child derives; undefined where the home or its key cannot be
 * read: its own lines say why.
 */
export async function keyOfHome({ effects }: Call, { homePath, network }: NodeSetup) {
  try {
    const { keyFile, remoteSigner } = await keyPlaceOf(effects, { homePath })
    if (remoteSigner !== '') return undefined
    const { keyTypePrefix } = network.names
    return await effects.signer.inspect({ keyFile, keyTypePrefix })
  } catch (thrown) {
    if (thrown instanceof BaseError) return undefined
    throw thrown
  }
}
