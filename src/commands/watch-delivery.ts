import { join } from 'node:path'
import { BaseError, badUsage } from '../core/errors/base.ts'
import { loadWatchConfig, type WatchConfig } from '../core/notify/config.ts'
import { openOutbox } from '../core/notify/open-outbox.ts'
import { openPing } from '../core/notify/ping.ts'
import { testAlarm } from '../core/notify/test-alarm.ts'
import type { WatchEvent } from '../core/watch/event.ts'
import { LIMITS, type WatchLimits } from '../core/watch/sighting.ts'
import { type Call, pathOf } from './command.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'

/** The way of what a watch tells to its user, beside the output of the command. */
export type Delivery = {
  /** Takes an event in, for good, before anything remembers that it was told. */
  add(event: WatchEvent): Promise<void>
  /** A look was done: the watch lives. */
  beat(): void
  /** The watch ends by a fault: whoever waits for its pings hears of it at once. */
  fail(thrown: unknown): Promise<void>
  close(): Promise<void>
}

const NOTHING: Delivery = {
  add: async () => undefined,
  beat: () => undefined,
  fail: async () => undefined,
  close: async () => undefined,
}

/** The configuration that `--config` names; nothing without it. Throws `WatchConfigError` and `FileError`. */
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
  const validators = config.validators.map((each) => {
    const key = 'pubkey' in each ? each.pubkey : String(each.index)
    return each.name === undefined ? key : `${key}=${each.name}`
  })
  return {
    ...call,
    options: { ...network, ...call.options },
    positionals: call.positionals.length > 0 ? call.positionals : validators,
  }
}

/** From when on something is worth an alarm. `marginGwei`: as it was given on the command line. */
export function limitsOf(config: WatchConfig | undefined, marginGwei: bigint | undefined): WatchLimits {
  if (config === undefined) return { ...LIMITS, marginGwei: marginGwei ?? LIMITS.marginGwei }
  const { missed, repeatMs, marginPlaces, marginEpochs } = config
  const unlessZero = (count: number) => (count === 0 ? Number.POSITIVE_INFINITY : count)
  return {
    marginGwei: marginGwei ?? config.marginGwei,
    marginPlaces,
    marginEpochs,
    missedInRow: unlessZero(missed.inARow),
    missedOfLast: unlessZero(missed.ofHundred),
    repeatMs,
  }
}

/** Sends one alarm through each channel. Throws `usage` where no configuration was named. */
export async function sendTestAlarm(call: Call, config: WatchConfig | undefined): Promise<ExitCode> {
  if (config === undefined)
    throw badUsage({
      sentence: '--test-alarm needs --config: without it there is nowhere to send to.',
      next: 'Write a configuration: bearings watch --example-config > watch.toml',
    })
  const failed = await testAlarm(config, call.effects, call.io.out, ringIn(call))
  return failed === 0 ? EXIT.done : EXIT.no
}

/**
 * Opens what the configuration names. Where another watch on the same state directory sends already, this one says so,
 * and sends nothing. Throws `outbox.damaged` and `FileError`.
 */
export async function openDelivery(
  call: Call,
  { config, directory }: { config: WatchConfig | undefined; directory: string },
): Promise<Delivery> {
  if (config === undefined) return NOTHING
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
    beat: () => ping?.beat(),
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
