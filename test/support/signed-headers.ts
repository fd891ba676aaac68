import type { EngineHeader } from '../../src/core/chain/light/encode.ts'
import {
  readSignedBlock,
  type Step,
  stepTo,
  type TrustedHeader,
  trustGenesis,
} from '../../src/core/chain/light/light-client.ts'
import { engineSetOf } from '../../src/core/chain/light/trust.ts'
import { verifyVotes } from '../../src/core/chain/light/verify-votes.ts'
import { getCommit } from '../../src/core/clients/engine/blocks.ts'
import { createEngineClient } from '../../src/core/clients/engine/client.ts'
import { getEngineValidators } from '../../src/core/clients/engine/get-status.ts'
import { LIST } from '../../src/core/clients/json-rpc.ts'
import { readTransactions } from '../../src/core/clients/signed/signed-chain.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import { snapshotWorld } from './snapshot-world.ts'

type SignedHeaders = { claimAt(height: bigint): Promise<Parameters<typeof stepTo>[1]> }

/** Reads what the engine of a rehearsal network claims, and follows its headers from the genesis set on. */
export function signedHeaders(devnet: Devnet) {
  const { effects } = snapshotWorld(devnet)
  const engine = createEngineClient(effects, devnet.descriptor.urls.engine)
  const { genesis, engineChainId: chainId } = devnet.chain.input
  const rules = { chainId, verifyVotes }
  let trusted: TrustedHeader | undefined
  const claimAt = async (height: bigint) => {
    const set = (await getEngineValidators(engine, { height })).validators
    const members = set.map(({ publicKey, votingPowerGwei: power }) => ({ key: publicKey.value, power }))
    return { signed: await getCommit(engine, { height }), set: members }
  }
  return {
    claimAt,
    /** Takes the step to a height as these or other headers claim it, and trusts it where it may. */
    async step(height: bigint, claims: SignedHeaders = { claimAt }): Promise<Step> {
      const claim = await claims.claimAt(height)
      const step =
        trusted === undefined
          ? trustGenesis(engineSetOf(genesis.validators, 0n), claim, rules)
          : stepTo(trusted, claim, rules)
      if (step.is === 'trusted') trusted = step.trusted
      return step
    },
    /** Reads the beacon block of a height, whose header is trusted. */
    async blockAt(header: EngineHeader) {
      const transactions = await readTransactions(engine, { height: header.height, limits: LIST })
      const read = readSignedBlock(header, transactions)
      if ('fault' in read) throw new Error(read.fault)
      return read.block
    },
  }
}
