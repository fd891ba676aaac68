import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { keptPlaces } from '../../src/compose/kept-places.ts'
import { readSettings } from '../../src/compose/settings.ts'
import { nodeDraft, validatorDraft } from '../../src/compose/setup-drafts.ts'
import { keptTexts } from '../../src/compose/typed-rehearsal.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { holderNamed, parseClaim } from '../../src/core/base/effects/node-claim.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { FAR_FUTURE_EPOCH } from '../../src/core/chain/consensus/state.ts'
import { parseDepositFile } from '../../src/core/chain/deposit/deposit-file.ts'
import type { Own } from '../../src/core/chain/key-state/own.ts'
import { readChronicle } from '../../src/core/chain/network/chronicle.ts'
import type { Network } from '../../src/core/chain/network/network.ts'
import { BEPOLIA, MAINNET } from '../../src/core/chain/network/presets.ts'
import { readDescriptor } from '../../src/core/chain/network/rehearsal.ts'
import type { CommandContext } from '../../src/core/observe/context.ts'
import type { Alarm, WatchMemory } from '../../src/core/observe/memory.ts'
import { limitsOf, type NetworkPicture } from '../../src/core/observe/picture.ts'
import { draftOf } from '../../src/core/pay/payment/candidates.ts'
import type { StatusEvent } from '../../src/core/steps/status/machine.ts'
import { rememberPlacings, watchBlocks } from '../../src/core/steps/status/observe-commands.ts'
import type { WatchEvent } from '../../src/core/view/alarm-event.ts'
import { openPaymentsIn } from '../../src/core/wizard/journal/open-payments.ts'
import { readMemory } from '../../src/watch/keep.ts'
import { openAlarms } from '../../src/watch/keep-alarms.ts'
import { readWatchConfig } from '../../src/watch/notify/config.ts'
import { decodeOutbox } from '../../src/watch/notify/open-outbox.ts'
import {
  nextWakeMs,
  type OutboxCommand,
  outboxTransition,
  resumeOutbox,
} from '../../src/watch/notify/outbox.ts'
import { acknowledge, watchTransition } from '../../src/watch/transition.ts'
import { validator } from './guard-world.ts'
import { pictureOf } from './picture.ts'
import { effects, place, plain, stateText, withDirectory } from './state-files.ts'
import { guardPictureOf } from './state-guards.ts'
import { SETUP, stateAfter, withJournal } from './written-journal.ts'

/** What is read from a recorded file, and what follows from it, by the kind that its folder is named after. */
export const PICTURES: Readonly<Record<string, (file: string) => unknown>> = {
  guards: guardPictureOf,
  keys: keyPictureOf,
  watch: memoryPictureOf,
  outbox: outboxPictureOf,
  validator: seenPictureOf,
  settings: settingsPictureOf,
  config: (file) => {
    const config = readWatchConfig(stateText(file))
    return { config, limits: limitsOf(config) }
  },
  locks: claimPictureOf,
  rehearsal: rehearsalPictureOf,
  exports: (file) => parseDepositFile(stateText(file)),
}

/** The picture of a recorded file, as JSON gives it back. */
export const statePictureOf = async (file: string): Promise<unknown> =>
  plain(await PICTURES[file.split('/')[0] ?? '']?.(file))

async function keyPictureOf(file: string) {
  const text = stateText(file)
  const state = await withJournal(text, ({ history }) => stateAfter(text, history))
  const agreed = [state.deposit, state.topup.send].map((payment) => draftOf(payment)?.agreement)
  return { picture: pictureOf(state, SETUP), agreed, open: openPaymentsIn(text) }
}

/** The network of a recorded file, by the root in it. */
const networkOf = (genesisValidatorsRoot: Hex): Network => ({
  ...MAINNET,
  id: 'rehearsal',
  slotMs: 1000,
  genesisValidatorsRoot,
})

/** The root of the genesis validators that a text names first. */
export const networkIn = (text: string): Network =>
  networkOf((/"genesisValidatorsRoot":"(0x[0-9a-f]{64})"/.exec(text)?.[1] ?? '0x') as Hex)

const told = ({ id, sequence, change, alarm, severity }: WatchEvent) => ({
  id,
  sequence,
  change,
  alarm,
  severity,
})

const standing = ({ id, sinceMs, times, spells, quietSinceMs, acknowledged }: Alarm) => ({
  id,
  sinceMs,
  times,
  spells,
  quietSinceMs,
  acknowledged,
})

function memoryPictureOf(file: string) {
  const text = stateText(file)
  const network = networkIn(text)
  const memory = readMemory(text, file, network)
  return { memory, ...afterLooks(memory, network) }
}

/** What is told after a memory: in a look that sees nothing, and where its validators are not watched any more. */
function afterLooks(memory: WatchMemory, network: Network) {
  const context = { network, wizardOptions: ['--network', 'rehearsal'], limits: limitsOf(undefined) }
  const nothing: NetworkPicture = {
    atMs: memory.lookedMs + 1000,
    heads: [],
    validators: memory.validators.map(({ pubkey }) => ({ pubkey })),
  }
  const after = (from: WatchMemory, seen: NetworkPicture) => {
    const { memory: next, events } = watchTransition(from, seen, context)
    return { events: events.map(told), alarms: next.alarms.map(standing), ended: next.ended }
  }
  const heard = { ...nothing, heads: headsAgain(memory) }
  return {
    nothingSeen: after(memory, nothing),
    heardAgain: after(memory, heard),
    // Longer than any alarm stays that came again and again.
    heardLater: after(memory, { ...heard, atMs: nothing.atMs + 400_000 }),
    unwatched: after(memory, { ...nothing, validators: [] }).events,
    known: after(
      memory.alarms.reduce((now, { id }) => acknowledge(now, id), memory),
      nothing,
    ),
  }
}

/** The own endpoints that are remembered, each a block further. */
const headsAgain = ({ heads }: WatchMemory): NetworkPicture['heads'] =>
  heads.map(({ role, name, slot = 0n }) => ({ role, name, place: 0, slot: slot + 1n }))

/** By day, and at an hour that is quiet by the recorded configuration. */
const DAY_MS = Date.UTC(2027, 0, 15, 12)
const QUIET_MS = Date.UTC(2027, 0, 15, 8, 30)

function outboxPictureOf(file: string) {
  const outbox = decodeOutbox(stateText(file), file)
  const { channels, quiet } = readWatchConfig(stateText('config/channels.toml'))
  const rules = { channels, quiet, most: 500 }
  const { outbox: resumed, sayings } = resumeOutbox(outbox, rules)
  const at = (nowMs: number) => {
    const { commands, outbox: next } = outboxTransition(resumed, { type: 'woke' }, rules, nowMs)
    return { wakeMs: nextWakeMs(resumed, rules, nowMs), commands: commands.map(order), queues: counts(next) }
  }
  const events = Object.values(resumed.queues).flatMap(({ waiting, held }) => [...waiting, ...held])
  const taken = events.map((event) => outboxTransition(resumed, { type: 'happened', event }, rules, DAY_MS))
  return {
    outbox,
    sayings,
    byDay: at(DAY_MS),
    inQuiet: at(QUIET_MS),
    takenAgain: taken.filter(({ outbox: next }) => next !== resumed).length,
    otherChannels: resumeOutbox(outbox, { ...rules, channels: [] }).sayings,
  }
}

const order = (command: OutboxCommand) =>
  command.type === 'say'
    ? { ...command.saying }
    : { channel: command.channel, event: told(command.message.event) }

const counts = ({ queues }: ReturnType<typeof decodeOutbox>) =>
  Object.entries(queues).map(([name, { waiting, held, told, dropped }]) => ({
    name,
    waiting: waiting.length,
    held: held.length,
    told: told.length,
    dropped,
  }))

type About = { pubkey: Hex; executionGenesisHash: Hex }

/** What was kept of one validator, as the status step meets it; `stood` hears what it tells of the past. */
export async function withSeen<T>(
  file: string,
  use: (seen: {
    context: CommandContext<StatusEvent>
    stood: StatusEvent[]
    about: About
    path: string
  }) => Promise<T>,
): Promise<T> {
  const text = stateText(file)
  const { pubkey, executionGenesisHash } = JSON.parse(text) as About
  return withDirectory((directory) => {
    const kind = file.slice('validator/'.length).split(/[-.]/)[0]
    const path = join(directory, `${kind}-${pubkey.slice(2, 14)}.json`)
    place(file, path)
    const stood: StatusEvent[] = []
    const context = {
      setup: { ...SETUP, network: networkIn(text), journalDirectory: directory },
      facts: () => ({ identity: { pubkey }, genesis: { executionGenesisHash } }),
      effects,
      dispatch: async (event: StatusEvent) => void stood.push(event),
    } as unknown as CommandContext<StatusEvent>
    return use({ context, stood, about: { pubkey, executionGenesisHash }, path })
  })
}

/** A record with which blocks are looked for from a slot on. */
export const ownFrom = (slot: bigint, pubkey: Hex): Own => ({
  validator: validator(pubkey, 280_000n, { activationEpoch: FAR_FUTURE_EPOCH }),
  balanceGwei: 0n,
  index: 13,
  epoch: 0n,
  slot,
  timestampSeconds: 0n,
})

function seenPictureOf(file: string) {
  return withSeen(file, async ({ context, stood, about }) => {
    if (file.includes('/alarms')) {
      const alarms = await openAlarms(context, { watched: about, limitsPath: '/nowhere/watch.toml' })
      const memory = alarms.memory()
      return { memory, ...afterLooks(memory, context.setup.network) }
    }
    if (file.includes('/history')) {
      await rememberPlacings(context)
      return stood
    }
    const { firstBlock } = JSON.parse(stateText(file)) as { firstBlock: string }
    const slot = BigInt(firstBlock)
    const blocks = await watchBlocks(context, ownFrom(slot, about.pubkey), undefined)
    return blocks.read(slot, { slot, proposerIndex: 1 } as never)
  })
}

function settingsPictureOf(file: string) {
  return withDirectory(async (directory) => {
    place(file, join(directory, 'settings.json'))
    const settings = readSettings(directory)
    const { networks } = JSON.parse(stateText(file)) as { networks: object }
    const form = ({ fields, remembered, places }: ReturnType<typeof nodeDraft>) => ({
      suggested: Object.fromEntries(fields.map(({ id, suggestion }) => [id, suggestion])),
      remembered,
      places,
    })
    const given = { given: '', keystores: ['/home/user/.foundry/keystores/other'] }
    return {
      of: Object.fromEntries(Object.keys(networks).map((id) => [id, settings.of(id)])),
      unknown: settings.of('nothing'),
      node: form(nodeDraft(MAINNET, settings.of('mainnet'), given.keystores, '~/.beacond')),
      validator: form(validatorDraft(BEPOLIA, settings.of('bepolia'), given)),
    }
  })
}

/** Who is named, and how sure that is for a process of another computer. */
function claimPictureOf(file: string) {
  return withDirectory(async (directory) => {
    const path = join(directory, 'recorded.lock')
    place(file, path)
    return { claim: parseClaim(stateText(file)), holder: await holderNamed(path) }
  })
}

async function rehearsalPictureOf(file: string): Promise<unknown> {
  if (file.endsWith('/descriptor.json')) return readDescriptor(stateText(file))
  if (file.endsWith('/story.json')) return readChronicle(stateText(file))
  return withDirectory(async (directory) => {
    place(file, join(directory, 'addresses.json'))
    return keptTexts(effects as unknown as Effects, directory)
  })
}

/** Where a state directory keeps each kind, with a recorded file of it. */
const PLACES: readonly (readonly [string, string])[] = [
  ['settings.json', 'settings/settings.json'],
  ['rehearsal/one/descriptor.json', 'rehearsal/descriptor.json'],
  ['mainnet/0123456789ab-0123456789ab-0123456789ab/journal.jsonl', 'keys/two-top-ups.jsonl'],
  ['mainnet/0123456789ab-0123456789ab-0123456789ab/receipt.json', 'receipts/keystore.json'],
  [
    `mainnet/guard-0123456789ab-0123456789ab-${'0a'.repeat(20)}-2/journal.jsonl`,
    'guards/armed/journal.jsonl',
  ],
  ['mainnet/watch.json', 'watch/held.json'],
  ['mainnet/watch.json.lock', 'locks/watch.json.lock'],
  ['mainnet/watch-outbox.json', 'outbox/held.json'],
  ['mainnet/watch.toml', 'config/channels.toml'],
  ['mainnet/alarms-0123456789ab.json', 'validator/alarms-margin.json'],
  ['mainnet/history-0123456789ab.json', 'validator/history.json'],
  ['mainnet/seen-0123456789ab.json', 'validator/seen.json'],
  ['mainnet/sign-guard-265a731a-2.json', 'exports/sign-guard-265a731a-2.json'],
]

/** What the program says of a state directory with a recorded file of each kind: its name, and whether it may be deleted. */
export const placesPicture = (): Promise<unknown> =>
  withDirectory(async (directory) => {
    for (const [name, file] of PLACES) {
      mkdirSync(dirname(join(directory, name)), { recursive: true })
      place(file, join(directory, name))
    }
    const places = await keptPlaces({ stateDirectory: directory, environment: {}, platform: 'linux' })
    return places
      .filter(({ path }) => path.startsWith(`${directory}/`))
      .map(({ id, path, mayBeDeleted, files }) => ({
        id,
        path: path.slice(directory.length),
        mayBeDeleted,
        files,
      }))
  })
