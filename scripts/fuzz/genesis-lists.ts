import { BooleanType, ByteVectorType, ContainerType, ListCompositeType, UintBigintType } from '@chainsafe/ssz'
import fc from 'fast-check'
import { bytesToHex, hexToBytes } from '../../src/core/base/format/hex.ts'
import { type GenesisDeposit, genesisValidatorsRoot } from '../../src/core/chain/deposit/genesis-root.ts'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import type { TargetResult } from './run-target.ts'

const Uint64 = new UintBigintType(8)
const Validators = new ListCompositeType(
  new ContainerType({
    pubkey: new ByteVectorType(48),
    withdrawalCredentials: new ByteVectorType(32),
    effectiveBalance: Uint64,
    slashed: new BooleanType(),
    activationEligibilityEpoch: Uint64,
    activationEpoch: Uint64,
    exitEpoch: Uint64,
    withdrawableEpoch: Uint64,
  }),
  2 ** 40,
)

const FAR_FUTURE = 18446744073709551615n
const TOKENS = 1_000_000_000n
/** Amounts around every limit of the rule, and any other. */
const amount = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(0n, 10_000n, 240_000n, 250_000n, 9_990_000n, 10_000_000n, 18_000_000_000n),
      fc.bigInt(-1n, 1n),
    )
    .map(([tokens, off]) => (tokens * TOKENS + off < 0n ? 0n : tokens * TOKENS + off)),
  fc.bigInt(0n, 11_000_000n * TOKENS),
  fc.bigInt(0n, FAR_FUTURE),
)
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(bytesToHex)
const deposits: fc.Arbitrary<GenesisDeposit[]> = fc.array(
  fc.record({ pubkey: bytes(48), withdrawalCredentials: bytes(32), amountGwei: amount }),
  { maxLength: 12 },
)

/** The genesis validators root of random lists: ours on flat buffers, and the SSZ library's on trees. */
export function checkGenesisLists({ runs, seed }: { runs: number; seed: number }): TargetResult {
  let done = 0
  const property = fc.property(deposits, (list) => {
    done += 1
    const ours = genesisValidatorsRoot(list, MAINNET.spec)
    const theirs = bytesToHex(Validators.hashTreeRoot(list.map(validatorOf)))
    if (ours !== theirs) throw new Error(`${ours} and ${theirs}`)
  })
  const details = fc.check(property, { numRuns: runs, seed })
  const failure = details.failed ? String(details.errorInstance) : undefined
  return { name: 'genesis lists', runs: done, accepted: done, refused: 0, slowestMs: 0, failure }
}

/** The rule written down a second time. */
function validatorOf({ pubkey, withdrawalCredentials, amountGwei }: GenesisDeposit) {
  const { maxEffectiveBalanceGwei, effectiveBalanceIncrementGwei, activationBalanceGwei } = MAINNET.spec
  const whole = (amountGwei / effectiveBalanceIncrementGwei) * effectiveBalanceIncrementGwei
  const effectiveBalance: bigint = whole > maxEffectiveBalanceGwei ? maxEffectiveBalanceGwei : whole
  const epoch = effectiveBalance < activationBalanceGwei ? FAR_FUTURE : 0n
  return {
    pubkey: hexToBytes(pubkey),
    withdrawalCredentials: hexToBytes(withdrawalCredentials),
    effectiveBalance,
    slashed: false,
    activationEligibilityEpoch: epoch,
    activationEpoch: epoch,
    exitEpoch: FAR_FUTURE,
    withdrawableEpoch: FAR_FUTURE,
  }
}
