import { givenValidator } from '../compose/given-validator.ts'
import { validatorTextFault } from '../compose/validator-text.ts'
import { badUsage } from '../core/errors/base.ts'
import type { Setup } from '../core/facts.ts'
import { parseGroupedTokens } from '../core/format/amount.ts'
import type { Hex } from '../core/format/hex.ts'
import { safeText } from '../core/format/text.ts'
import type { Network } from '../core/network/network.ts'
import type { WatchConfig } from '../core/notify/config.ts'
import type { WatchEndpoints } from '../core/watch/look-node.ts'
import type { Watched } from '../core/watch/sighting.ts'
import type { Call } from './command.ts'
import { addresses, listenAddress } from './read-arguments.ts'

const LISTED = ['execution', 'node', 'engine'] as const

/** The endpoints that were given on the command line, else those of the configuration, the own one first. */
export function endpointLists({ options }: Call, config: WatchConfig | undefined): Partial<WatchEndpoints> {
  const lists: { [role in (typeof LISTED)[number]]?: readonly string[] } = {}
  for (const role of LISTED) {
    const given = options[role] === undefined ? undefined : addresses(options[role])
    const list = given ?? config?.endpoints[role] ?? []
    if (list.length > 0) lists[role] = list
  }
  return lists
}

/** The own endpoint of each list, as the option that names it. */
export function firstOf(lists: Partial<WatchEndpoints>): Partial<Record<(typeof LISTED)[number], string>> {
  return Object.fromEntries(Object.entries(lists).map(([role, [first = '']]) => [role, first]))
}

/** Whom to ask: what was given, the second execution endpoint of the setup after it, and nobody twice. */
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
      next: 'Give one: bearings watch PUBLIC_KEY=NAME, or its index.',
    })
  }
  const found: Watched[] = []
  for (const text of positionals) {
    const [given = '', ...rest] = text.split('=')
    const name = rest.join('=')
    const fault = validatorTextFault(given)
    if (fault !== undefined)
      throw badUsage({ sentence: fault, next: 'Write a validator as PUBLIC_KEY=NAME or INDEX=NAME.' })
    const { pubkey } = await givenValidator(effects, { text: given, node: endpoints.node[0] ?? '', network })
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

/** How near others may come, by `--margin`. */
export function marginOf({ options: { margin } }: Call): bigint | undefined {
  return margin === undefined ? undefined : parseGroupedTokens(margin)
}

/** Where `--metrics` is to be listened at. */
export function metricsAddressOf({ options: { metrics } }: Call): ReturnType<typeof listenAddress> {
  return metrics === undefined ? undefined : listenAddress(metrics)
}

/** The options with which the wizard comes to what is watched. */
export function wizardOptionsOf({ options }: Call, { network }: Setup): readonly string[] {
  const named = ['network', 'spec', 'genesis', 'devnet', 'state'] as const
  const given = named.flatMap((name) => (options[name] === undefined ? [] : [`--${name}`, options[name]]))
  const isDescriptor = options.devnet?.trimStart().startsWith('{') === true
  const shown = isDescriptor
    ? given.filter((_, at) => at !== given.indexOf('--devnet') && at !== given.indexOf('--devnet') + 1)
    : given
  return options.network === undefined && options.spec === undefined && options.devnet === undefined
    ? ['--network', network.id, ...shown]
    : shown
}
