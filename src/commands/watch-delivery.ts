import { join } from 'node:path'
import { watchedValidator } from '../compose/given-validator.ts'
import { validatorTextFault } from '../compose/network-choice.ts'
import { BaseError, badUsage } from '../core/base/errors/base.ts'
import { parseTokens } from '../core/base/format/amount.ts'
import type { Hex } from '../core/base/format/hex.ts'
import { command, parts } from '../core/base/format/next.ts'
import { safeText } from '../core/base/format/text.ts'
import type { Setup } from '../core/chain/facts.ts'
import type { Network } from '../core/chain/network/network.ts'
import type { WatchEndpoints } from '../core/observe/ask-input.ts'
import type { Watched } from '../core/observe/picture.ts'
import type { ChannelPicture, WatchEvent } from '../core/view/alarm-event.ts'
import { EXIT, type ExitCode } from '../output/io.ts'
import { isFailing } from '../watch/channel-findings.ts'
import { loadWatchConfig, type WatchConfig } from '../watch/notify/config.ts'
import { type OpenOutbox, openOutbox } from '../watch/notify/open-outbox.ts'
import { openPing, testAlarm } from '../watch/notify/test-alarm.ts'
import { SENTENCES } from '../watch/notify/text.ts'
import { type Call, pathOf } from './command.ts'
import type { TestAlarmFields } from './documents/test-alarm.ts'
import { addresses, listenAddress } from './read-arguments.ts'
import { tellDocument } from './tell-document.ts'

/** The way of what a watch tells to its user, beside the output of the command. */
export type Delivery = {
  /** Takes an event in, for good, before anything remembers that it was told. */
  add(event: WatchEvent): Promise<void>
  /** Whether what was taken in is on the disk: while it is not, nothing may remember that it was told. */
  isKept(): boolean
  /** How sending goes, as a part of a look; nothing where another watch sends. */
  picture(): { channels?: readonly ChannelPicture[] }
  /** The alarms that have not ended for every channel that was told of them. */
  told: OpenOutbox['told']
  /** A look was done: the watch lives. */
  tick(): void
  /** The watch ends by a fault: whoever waits for its pings hears of it at once. */
  fail(thrown: unknown): Promise<void>
  close(): Promise<void>
}

const NOTHING: Delivery = {
  add: async () => undefined,
  isKept: () => true,
  picture: () => ({}),
  told: () => [],
  tick: () => undefined,
  fail: async () => undefined,
  close: async () => undefined,
}

/** The configuration that `--config` names; nothing without it. Throws `watch-config.*` and `file.*`. */
export async function configOf(call: Call): Promise<WatchConfig | undefined> {
  const { config: named } = call.options
  if (named === undefined) return undefined
  const { config, warning } = await loadWatchConfig(call.effects.files, pathOf(named, call.environment))
  if (warning !== undefined) call.io.err(warning)
  return config
}

/** The call with the network and the validators of the configuration where none was given on the command line. */
export function withConfig(call: Call, config: WatchConfig | undefined): Call {
  if (config === undefined) return call
  const isNamed = call.options.devnet !== undefined || call.options.spec !== undefined
  const network = config.network === undefined || isNamed ? {} : { network: config.network }
  const validators = config.validators.map(({ key, name }) => (name === undefined ? key : `${key}=${name}`))
  return {
    ...call,
    options: { ...network, ...call.options },
    positionals: call.positionals.length > 0 ? call.positionals : validators,
  }
}

/** Sends one alarm through each channel, and tells how it went. Throws `usage` where no configuration was named. */
export async function sendTestAlarm(call: Call, config: WatchConfig | undefined): Promise<ExitCode> {
  if (config === undefined)
    throw badUsage({
      sentence: '--test-alarm needs --config: without it there is nowhere to send to.',
      next: parts`Write a configuration: ${command('watch', '--example-config')} > watch.toml`,
    })
  const channels = await testAlarm(
    config,
    call.effects,
    call.json ? () => undefined : call.io.out,
    ringIn(call),
  )
  const allTookIt = channels.length > 0 && channels.every(({ result }) => result === 'delivered')
  if (call.json)
    tellDocument<TestAlarmFields>(
      'test-alarm',
      { network: config.network ?? null, verdict: allTookIt ? 'yes' : 'no', fields: { channels } },
      call,
    )
  return allTookIt ? EXIT.done : EXIT.no
}

/**
 * Opens what the configuration names. Where another watch on the same state directory sends already, this one says so,
 * and sends nothing. Throws `outbox.damaged` and `file.*`.
 */
export async function openDelivery(
  call: Call,
  { config, directory }: { config: WatchConfig | undefined; directory: string },
): Promise<Delivery> {
  if (config === undefined) return { ...NOTHING, picture: () => ({ channels: [] }) }
  const { effects, io } = call
  const { err: say, signal } = io
  const path = join(directory, 'watch-outbox.json')
  const { outbox, heldBy } = await openOutbox(effects, { path, config, say, signal, ...ringIn(call) })
  if (outbox === undefined) {
    say(`Another watch sends the alarms: ${heldBy}`)
    return NOTHING
  }
  const ping = config.ping === undefined ? undefined : openPing(effects, { ping: config.ping, say, signal })
  return {
    add: outbox.add,
    isKept: outbox.isKept,
    picture: () => ({ channels: outbox.standing() }),
    told: outbox.told,
    tick() {
      const nowMs = effects.clock.nowMs()
      const failing = outbox.standing().filter((channel) => isFailing(channel, nowMs))
      // What a service said stays here: the ping goes to another one.
      ping?.tick(failing.length === 0 ? undefined : SENTENCES.takeNothing(failing.map(({ name }) => name)))
    },
    // The sentence of an error of ours holds no secret; of any other nothing is sent away.
    fail: async (thrown) =>
      ping?.fail(
        thrown instanceof BaseError ? thrown.shortMessage : 'The program ended by a fault of its own.',
      ),
    async close() {
      await ping?.close()
      await outbox.close()
    },
  }
}

function ringIn({ io: { ring } }: Call) {
  return ring === undefined ? {} : { ring }
}

const LISTED = ['execution', 'node', 'engine'] as const

/** Returns the endpoints that were given on the command line, else those of the configuration, the own one first. */
export function endpointLists({ options }: Call, config: WatchConfig | undefined): Partial<WatchEndpoints> {
  const lists: { [role in (typeof LISTED)[number]]?: readonly string[] } = {}
  for (const role of LISTED) {
    const given = options[role] === undefined ? undefined : addresses(options[role])
    const list = given ?? config?.endpoints[role] ?? []
    if (list.length > 0) lists[role] = list
  }
  return lists
}

/** Returns the own endpoint of each list, as the option that names it. */
export function firstOf(lists: Partial<WatchEndpoints>): Partial<Record<(typeof LISTED)[number], string>> {
  return Object.fromEntries(Object.entries(lists).map(([role, [first = '']]) => [role, first]))
}

/** Returns whom to ask: what was given, the second execution endpoint of the setup after it, and nobody twice. */
export function endpointsOf({ endpoints }: Setup, lists: Partial<WatchEndpoints>): WatchEndpoints {
  const { execution, secondExecution, node, engine } = endpoints
  const second = secondExecution === undefined ? [] : [secondExecution]
  return {
    node: lists.node ?? [node],
    execution: [...new Set([...(lists.execution ?? [execution]), ...second])],
    engine: lists.engine ?? (engine === undefined ? [] : [engine]),
  }
}

/** Whom to watch: those that were named, else those that were registered or adopted here. Throws `usage.option`. */
export async function validatorsOf(
  { positionals, effects }: Call,
  { network, endpoints, own }: { network: Network; endpoints: WatchEndpoints; own: readonly Hex[] },
): Promise<readonly Watched[]> {
  if (positionals.length === 0) {
    if (own.length > 0) return own.map((pubkey) => ({ pubkey }))
    throw badUsage({
      sentence: `Nobody says which validators of ${network.label} to watch: none was registered or adopted here.`,
      next: parts`Give one: ${command('watch', 'PUBLIC_KEY=NAME')}, or its index.`,
    })
  }
  const found: Watched[] = []
  for (const text of positionals) {
    const [given = '', ...rest] = text.split('=')
    const name = rest.join('=')
    const fault = validatorTextFault(given)
    if (fault !== undefined)
      throw badUsage({ sentence: fault, next: 'Write a validator as PUBLIC_KEY=NAME or INDEX=NAME.' })
    const { pubkey } = await watchedValidator(effects, { text: given, network, endpoints })
    const watched = { pubkey: pubkey.toLowerCase() as Hex }
    if (found.some((other) => other.pubkey === watched.pubkey))
      throw badUsage({
        sentence: 'One validator is named twice.',
        found: safeText(text, 60),
        next: 'Name each validator once, by its public key or its index.',
      })
    found.push(name === '' ? watched : { ...watched, name: safeText(name, 40) })
  }
  return found
}

/** Returns how near others may come, by `--margin`. */
export function marginOf({ options: { margin } }: Call): bigint | undefined {
  return margin === undefined ? undefined : parseTokens(margin)
}

/** Returns where `--metrics` is to be listened at, and under which names beside its address; throws what is wrong with these. */
export function metricsAddressOf({ options }: Call) {
  const { metrics, 'metrics-host': hosts = '' } = options
  const address = metrics === undefined ? undefined : listenAddress(metrics)
  const names = hosts.split(',').flatMap((name) => name.trim().toLowerCase() || [])
  const odd = names.find((name) => !/^[\w.-]+$/.test(name))
  if (odd !== undefined)
    throw badUsage({
      sentence: '--metrics-host names no host.',
      found: safeText(odd, 60),
      next: 'Give a name without a port, such as --metrics-host bearings.',
    })
  return address && { ...address, names }
}
