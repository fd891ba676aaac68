import type { Setup } from '../../facts.ts'
import { formatCount, formatDuration, formatGwei } from '../../format/amount.ts'
import { type Hex, sameHex, ZERO_ADDRESS } from '../../format/hex.ts'
import { ownCommand } from '../../format/text.ts'
import { known, type Observation } from '../observation.ts'
import { factRow, provenCount } from '../rows.ts'
import type { StepField, StepView } from '../step-view.ts'
import type { Explain, FactRow, Mark, Verdict } from '../view.ts'
import type { BackupAnswer, HomeAnswer, PaidAnswer, StatusState } from './machine.ts'

/** The page behind the status: what is to be seen to once a validator is active, how to leave, and who is no friend. */
export function checklistView(
  view: StepView,
  state: StatusState,
  about: { setup: Setup; pubkey: Hex | undefined },
): StepView {
  const { setup } = about
  const { problem: _, ...rest } = view
  const facts = checklistRows(state)
  const { pubkey } = about
  return {
    ...rest,
    title: 'After activation',
    verdict: checklistVerdict(facts),
    sections: ['facts', 'fields', 'notes'],
    intro: '',
    facts,
    fields: [backupField(state), ALARMS_FIELD],
    notes: [leavingWords(setup), IMPOSTORS],
    actions: [
      { key: 'b', label: 'backup', does: { edit: 'backup' } },
      { key: 'a', label: 'alarms', does: { edit: 'alarms' } },
      { key: 'r', label: 'ask again', does: [{ step: 'status', type: 'turned', to: 'checklist' }] },
      { key: 'escape', label: 'status', does: [{ step: 'status', type: 'turned', to: 'status' }] },
    ],
    commands: [
      ownCommand(
        setup.own,
        'watch',
        ...(pubkey === undefined ? [] : [pubkey]),
        '--config',
        alarmsPath(setup),
      ),
      ...view.commands,
    ],
  }
}

/** What of the checklist is known to be wrong, for the page before it. */
export function checklistNotes(state: StatusState): string[] {
  const refused = checklistRows(state).filter(({ mark }) => mark === 'refused')
  return refused.map(({ label, value }) => `${label}: ${value} (l shows it)`)
}

/** Each thing to see to, with what was found out about it. What nobody here can find out says so. */
function checklistRows(state: StatusState): FactRow[] {
  return [feeRow(state), backupRow(state.seen.backup), exposureRow(state), alarmsRow(state), ...NOT_FROM_HERE]
}

/** It is never good as a whole: there is always something that only its owner can know. */
function checklistVerdict(rows: readonly FactRow[]): Verdict {
  const count = (mark: Mark) => rows.filter((row) => row.mark === mark).length
  const [refused, asking] = [count('refused'), count('asking')]
  const rest = rows.length - provenCount(rows) - refused - asking
  const parts = [
    `${provenCount(rows)} of ${rows.length} hold`,
    ...(refused === 0 ? [] : [`${refused} ${refused === 1 ? 'refuses' : 'refuse'}`]),
    ...(asking === 0 ? [] : [`${asking} not answered yet`]),
    ...(rest === 0 ? [] : [`${rest} not known: nothing is good that was not checked`]),
  ]
  return { mark: refused > 0 ? 'refused' : 'unknown', text: `${parts.join(', ')}.` }
}

const FEE_EXPLAIN: Explain = {
  what: 'The address that receives the fees of the blocks that your node makes: suggested-fee-recipient in app.toml. It is zero in a new home, and then the fees are burnt. It is neither the withdrawal address nor the operator.',
  who: 'app.toml of the node home, and the last block of the validator as the execution endpoint shows it. A block proves what the running node uses.',
  later: 'Yes: change app.toml, then restart the node.',
}

function feeRow({ seen }: StatusState): FactRow {
  const said = known(seen.home)
  const paid = known(seen.paid)
  const { mark, value, address } = feeWords(said, paid)
  const told = paid === undefined ? seen.home : seen.paid
  return {
    id: 'fees',
    label: 'fee recipient',
    mark,
    value,
    source: 'source' in told ? told.source : '',
    ...('atMs' in told ? { learntAtMs: told.atMs } : {}),
    ...(address === undefined ? {} : { long: address }),
    explain: FEE_EXPLAIN,
  }
}

type FeeWords = { mark: Mark; value: string; address?: Hex | undefined }

function feeWords(said: HomeAnswer | undefined, paid: PaidAnswer | undefined): FeeWords {
  const address = paid?.feeRecipient
  const block = paid === undefined ? '' : `block ${formatCount(paid.slot)}`
  if (address !== undefined && isZero(address))
    return { mark: 'refused', value: `zero: ${block} burnt its fees` }
  if (said !== undefined && isZero(said.feeRecipient))
    return { mark: 'refused', value: 'zero in app.toml: the fees of every block are burnt' }
  if (said === undefined)
    return address === undefined
      ? { mark: 'unknown', value: 'not known: no home was read, no block seen' }
      : { mark: 'unknown', value: `${block} paid this address: is it yours?`, address }
  if (address === undefined)
    return { mark: 'unknown', value: 'in app.toml, no block yet', address: said.feeRecipient }
  return sameHex(address, said.feeRecipient ?? '')
    ? { mark: 'proven', value: `as in app.toml and ${block}`, address }
    : { mark: 'refused', value: `${block} paid another address than app.toml has`, address }
}

const isZero = (address: Hex | undefined): boolean => address === undefined || sameHex(address, ZERO_ADDRESS)

const BACKUP_EXPLAIN: Explain = {
  what: 'Whether a copy of the key exists. Without the key the node signs nothing, and a key cannot be replaced. A separate process without network reads the public key of the file that you name; the copy belongs on another disk, in another place.',
  who: 'The file, read now. Where it lies, and who else may read it, only you know.',
  later: 'Yes. It is checked only when you name the file, and not remembered.',
}

/** What is known of the file that was named as a backup of the key. */
export function backupRow(backup: Observation<BackupAnswer>): FactRow {
  const row = factRow({
    id: 'keyBackup',
    label: 'key backup',
    observation: backup,
    judge: ({ holds }) => holds === 'this-key',
    say: ({ holds }) => BACKUP_WORDS[holds === 'this-key' || holds === 'own' ? holds : 'other'],
    long: ({ holds }) => (holds === 'this-key' || holds === 'own' ? undefined : holds),
    explain: BACKUP_EXPLAIN,
  })
  if (backup.status === 'unasked') return { ...row, mark: 'unknown', value: 'not checked: press b' }
  return backup.status === 'failed' ? { ...row, long: backup.error.details.join(' ') } : row
}

const BACKUP_WORDS = {
  'this-key': 'the file holds this key',
  own: 'this is the file that the node uses',
  other: 'the file holds another key',
} as const

function backupField({ backupPath }: StatusState): StepField {
  return {
    id: 'backup',
    takes: { step: 'status', type: 'backupNamed' },
    label: 'backup file',
    value: backupPath ?? '',
    hint: 'the path of a copy of priv_validator_key.json',
    explain: BACKUP_EXPLAIN,
  }
}

const EXPOSED: readonly string[] = ['node-api-exposed', 'engine-rpc-exposed']

/** What is wrong comes with what to change. */
function exposureRow({ seen }: StatusState): FactRow {
  const found = (home: HomeAnswer) => home.findings.filter(({ id }) => EXPOSED.includes(id))
  const row = factRow({
    id: 'exposure',
    label: 'exposure',
    observation: seen.home,
    judge: (home) => found(home).length === 0,
    say: (home) => found(home)[0]?.text ?? 'open to this computer only',
    long: (home) => found(home)[0]?.fix,
    explain: {
      what: 'Whether other computers reach the node API or the RPC of the consensus engine (CometBFT). Neither asks who is there.',
      who: 'app.toml and config.toml of the node home. What a firewall or a proxy lets through is not seen.',
      later: 'Yes: change the file, then restart the node.',
    },
  })
  return row.mark === 'unasked'
    ? { ...row, mark: 'unknown', value: 'not known: no node home was given' }
    : row
}

const ALARMS_EXPLAIN: Explain = {
  what: 'Whether somebody is called when the node stops, when its head stands still, or when others add so much stake that the validator drops out. From a deposit of another validator to the drop-out there are one to two epochs. The command watch runs beside the node for as long as you like and tells of all three, also to a phone. Press a and type where: desktop, a topic of ntfy, or the address of a webhook. A test alarm is sent there; if it arrives, the place is kept for the watch, and c shows the command that begins it.',
  who: 'The service or the desktop took the test alarm, or did not. Whether you see it, and whether a watch runs, only you know.',
  later: 'Yes: in the file that c shows, which has room for much more (docs/notifications.md).',
}

/** Where the wizard keeps the places of alarms, for the watch. */
export function alarmsPath({ journalDirectory }: Pick<Setup, 'journalDirectory'>): string {
  return `${journalDirectory}/watch.toml`
}

/** A test alarm that arrived is no watch that runs: that is for its user to see to. */
function alarmsRow({ seen }: StatusState): FactRow {
  const row = factRow({
    id: 'monitoring',
    label: 'monitoring',
    observation: seen.alarms,
    judge: ({ isSent }) => (isSent ? 'given' : false),
    say: ({ isSent }) =>
      isSent ? 'the test alarm was sent; c has the command' : 'the test alarm was not sent',
    long: ({ said, path, isSent }) => [...said, ...(isSent ? [`kept in ${path}`] : [])].join(' · '),
    explain: ALARMS_EXPLAIN,
  })
  if (seen.alarms.status === 'unasked') return { ...row, mark: 'unknown', value: 'not checked: press a' }
  return seen.alarms.status === 'failed' ? { ...row, long: seen.alarms.error.details.join(' · ') } : row
}

const ALARMS_FIELD: StepField = {
  id: 'alarms',
  takes: { step: 'status', type: 'alarmsWanted' },
  label: 'alarms to',
  value: '',
  hint: 'desktop, a topic of ntfy, or the https address of a webhook',
  explain: ALARMS_EXPLAIN,
}

/** Nobody here can see these. */
const NOT_FROM_HERE: readonly FactRow[] = [
  {
    id: 'metadata',
    mark: 'unknown',
    label: 'metadata',
    value: 'cannot be checked here',
    source: '',
    explain: {
      what: 'Name, logo and links that others show for your validator. The chain holds keys, addresses and stake, and no names: such lists are kept elsewhere, and anybody may publish one.',
      who: 'Nobody. Look up in the guide of the network how its list is kept.',
      later: 'Yes.',
    },
  },
]

function leavingWords({ network }: Setup): string {
  const { spec, slotMs, names } = network
  const delay = spec.withdrawabilityDelayEpochs
  const time = formatDuration(Number(delay * spec.slotsPerEpoch) * slotMs)
  const part = `${formatGwei(spec.activationBalanceGwei)} ${names.token}`
  return `To leave, the withdrawal address sends the request (EIP-7002). ${delay} epochs after the exit (${time}) it gets the stake by itself. The key is lost for ever. A part above ${part} can be asked for without leaving.`
}

const IMPOSTORS =
  'Nobody needs your key, password or recovery phrase. Whoever asks for one, in a chat or on a page, is a thief. Tokens that arrive unasked are bait.'
