import type { Static } from 'typebox'
import { Bytes, Count, Fields, Flag, List, Maybe, Name } from '../../core/base/format/shapes.ts'

export const DevnetShape = Fields({
  urls: Fields({ execution: Name, node: Name, engine: Name }),
  chainId: Count,
  genesisRoot: Bytes(32),
  keystore: Fields({ path: Name, password: Name }),
  home: Name,
  spec: Name,
  engineChainId: Name,
  genesisForkVersion: Bytes(4),
  executionGenesisHash: Bytes(32),
  depositContractCodeHash: Bytes(32),
  slotMs: Count,
  clockIsWall: Flag,
  operator: Bytes(20),
  withdrawalAddress: Bytes(20),
  scenario: Name,
  seed: Name,
  pid: Count,
  second: Maybe(Name),
  foreign: Maybe(Fields({ node: Name, engine: Name })),
  pools: Maybe(Fields({ vault: Bytes(20), factories: List(Bytes(20)) })),
  story: Maybe(Name),
  control: Maybe(Name),
})

export type DevnetFields = Static<typeof DevnetShape>
