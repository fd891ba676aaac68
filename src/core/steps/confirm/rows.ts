import type { Facts, Setup } from '../../facts.ts'
import { formatGwei, formatWei } from '../../format/amount.ts'
import type { NodeDoubt } from '../../network/node-doubt.ts'
import { known } from '../observation.ts'
import { factRow } from '../rows.ts'
import type { FactRow } from '../view.ts'
import { anchorsNeeded, beaconFits, type ConfirmAnswers, type ConfirmState } from './machine.ts'

/** What together proves the registration, in the order of asking. */
export function confirmRows({ seen, doubt }: ConfirmState, facts: Facts, setup: Setup): FactRow[] {
  const { token } = setup.network.names
  const isAdopted = facts.validator?.origin === 'adopted'
  const rows: FactRow[] = [
    factRow({
      id: 'event',
      ...(isAdopted ? { unasked: 'not asked: adopted validator' } : {}),
      label: 'event',
      observation: seen.event,
      judge: (value) => value.good,
      say: (value) => value.words,
      explain: {
        what: 'The deposit event of the contract, with the running number of the deposit, compared field by field with what you signed.',
        who: 'The transaction receipt, from the execution endpoint.',
        later: 'No.',
      },
    }),
    balanceRow(seen.balance, facts, token),
    factRow({
      id: 'beacon',
      label: 'beacon state',
      observation: seen.beacon,
      judge: (value) => (value === 'absent' && doubt !== undefined ? undefined : beaconFits(value, facts)),
      say: (value) =>
        value === 'absent'
          ? absentWords(doubt)
          : `validator ${value.index}, ${formatGwei(value.balanceGwei)} ${token}`,
      explain: {
        what: 'The record of the validator: it must name the planned withdrawal address and must not be leaving.',
        who: 'The node API. The next rows prove it.',
        later: 'The balance: yes. The withdrawal address: never.',
      },
    }),
    factRow({
      id: 'proofs',
      label: 'proofs',
      observation: seen.proofs,
      judge: (value) => value.good,
      say: (value) => value.words,
      explain: {
        what: 'Merkle proofs (chains of hashes) that connect key, credentials and balance with the root of a beacon block. They are checked on this computer.',
        who: 'The node gives the hashes; this computer does the arithmetic.',
        later: 'Yes: a proof is for one slot only.',
      },
    }),
    factRow({
      id: 'anchor',
      label: 'anchor',
      observation: seen.anchor,
      judge: (value) => value.good,
      say: (value) => value.words,
      explain: {
        what: 'The execution chain keeps the roots (hashes) of the recent beacon blocks. The proof must end in exactly such a root.',
        who: 'The beacon-roots contract (EIP-4788), through the execution endpoint.',
        later: 'No.',
      },
    }),
  ]
  if (setup.endpoints.secondExecution !== undefined || anchorsNeeded(setup) > 1) {
    rows.push(
      factRow({
        id: 'secondAnchor',
        label: 'second anchor',
        observation: seen.secondAnchor,
        judge: (value) => value.good,
        say: (value) => value.words,
        ...(setup.endpoints.secondExecution === undefined
          ? { unasked: 'needs a second execution endpoint' }
          : {}),
        explain: {
          what: 'The same root from a second execution endpoint on another server. Then your own node alone cannot have invented it.',
          who: 'The second execution endpoint.',
          later: 'No.',
        },
      }),
    )
  }
  return rows
}

/** A node that hangs does not know what has happened since. */
function absentWords(doubt: NodeDoubt | undefined): string {
  return doubt === undefined ? 'does not know the key yet' : `did not know the key at slot ${doubt.slot}`
}

/** What nobody could look at is neither good nor bad, and nothing waits for it. */
function balanceRow(balance: ConfirmState['seen']['balance'], facts: Facts, token: string): FactRow {
  const row = factRow({
    id: 'balance',
    label: 'wallet',
    observation: balance,
    judge: (value) => 'fellByWei' in value && value.fellByWei <= value.expectedWei,
    say: (value) => fellWords(value, token),
    unasked: unaskedBalance(facts),
    explain: {
      what: 'The balance of the account before and after that block, compared with the stake and the fee. This row is for information and decides nothing: others can pay into the account in the same block. An execution client in full mode keeps the balances of the last 128 blocks; only an archive endpoint knows older ones.',
      who: 'The execution endpoint.',
      later: 'No.',
    },
  })
  const value = known(balance)
  return value !== undefined && 'block' in value ? { ...row, mark: 'unasked' } : row
}

function unaskedBalance({ deposit, validator }: Facts): string {
  if (validator?.origin === 'adopted') return 'not asked: adopted validator'
  return deposit?.contract === true ? 'not compared: a contract account' : 'not asked yet'
}

function fellWords(value: ConfirmAnswers['balance'], token: string): string {
  if ('block' in value) return `not kept any more: block ${value.block} is older than 128 blocks`
  const overWei = value.fellByWei - value.expectedWei
  if (overWei === 0n) return `fell by ${formatWei(value.fellByWei)} ${token}`
  return overWei > 0n
    ? `fell by ${formatWei(overWei)} ${token} more than you paid`
    : `fell by the expected amount; ${formatWei(-overWei)} ${token} also arrived`
}
