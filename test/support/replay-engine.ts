import type { Hex } from '../../src/core/base/format/hex.ts'
import { engineKey } from '../../src/core/chain/identity/engine-key.ts'
import type { LoopbackReply, LoopbackRequest } from '../../src/devnet/loopback-server.ts'
import { type RecordedSlot, recordedBody } from './replay-recording.ts'

/** The engine of a node of the recorded network. */
export type EngineSight = {
  head(): RecordedSlot
  /** The key this node signs with, compressed. */
  pubkey: Hex
}

type Status = {
  result: {
    sync_info: { [field: string]: unknown }
    validator_info: { pub_key: { type: string; value: string }; voting_power: string }
  }
}

/** Answers of the engine RPC when the chain's head is at the sight's slot. */
export function replayEngine({ path, query }: LoopbackRequest, sight: EngineSight): LoopbackReply {
  if (path === '/status') return reply(status(sight))
  if (path === '/validators') return reply(validators(sight, Number(query.get('page') ?? '1')))
  return { status: 404, contentType: 'text/plain; charset=utf-8', body: '404 page not found\n' }
}

function status({ head, pubkey }: EngineSight): unknown {
  const { slot, timestamp, engineSet } = head()
  const recorded = JSON.parse(recordedBody('/status')) as Status
  const value = engineKey(pubkey)
  const { pub_key, ...rest } = recorded.result.validator_info
  return {
    ...recorded,
    result: {
      ...recorded.result,
      sync_info: {
        ...recorded.result.sync_info,
        latest_block_height: String(slot),
        latest_block_time: new Date(timestamp * 1000).toISOString(),
      },
      validator_info: {
        ...rest,
        pub_key: { ...pub_key, value },
        voting_power: engineSet.find((member) => member.pub_key === value)?.voting_power ?? '0',
      },
    },
  }
}

function validators({ head }: EngineSight, page: number): unknown {
  const { slot, engineSet } = head()
  const members = engineSet.map(({ address, pub_key, voting_power }) => ({
    address,
    pub_key: { type: 'cometbft/PubKeyBls12_381', value: pub_key },
    voting_power,
    proposer_priority: '0',
  }))
  const result = {
    block_height: String(slot),
    validators: page === 1 ? members : [],
    count: String(members.length),
    total: String(members.length),
  }
  return { jsonrpc: '2.0', id: -1, result }
}

function reply(value: unknown): LoopbackReply {
  return { status: 200, contentType: 'application/json', body: JSON.stringify(value) }
}
