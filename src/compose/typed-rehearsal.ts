import { dirname, join } from 'node:path'
import type { Effects } from '../core/base/effects/effects.ts'
import { rehearsalError } from '../core/base/errors/rehearsal.ts'
import { optional, record, text } from '../core/base/format/decode.ts'
import { readText } from '../core/base/format/file-text.ts'
import { decodeNetwork, parseNetworkJson } from '../core/chain/network/network.ts'
import { type Descriptor, readDescriptor } from '../core/chain/network/rehearsal.ts'
import type { FormChoice } from '../core/wizard/launch/choice.ts'
import { unknownNetwork } from './network-choice.ts'
import type { NetworkSettings } from './settings.ts'
import { typedSetup } from './setup-drafts.ts'

/** The scenario in which nothing is easier than with real money. */
export const AS_ON_MAINNET = 'as-on-mainnet'

export type TypedChoice = Extract<FormChoice, { kind: typeof AS_ON_MAINNET }>

/**
 * Keeps the accepted texts of a form in the folder of its network, where whoever begins on that reads them. Resolves to the
 * folder; throws a `file.*` error.
 */
export async function keepTyped(
  { store }: Pick<Effects, 'store'>,
  { which }: TypedChoice,
  values: Readonly<Record<string, string>>,
): Promise<{ folder: string }> {
  if (typeof which === 'string') throw unknownNetwork(AS_ON_MAINNET)
  await store.writeText(join(which.folder, KEPT), `${JSON.stringify(values)}\n`, { replace: true })
  return which
}

const KEPT = 'addresses.json'

/** What was typed for the network of a descriptor file; nothing for a rehearsal of which nothing is typed. Throws `rehearsal.not-typed`. */
export async function typedOf(
  effects: Effects,
  descriptorPath: string,
): Promise<{ typed?: ReturnType<typeof typedSetup> }> {
  if (readDescriptor(await readText(effects, descriptorPath)).scenario !== AS_ON_MAINNET) return {}
  const folder = dirname(descriptorPath)
  const values = await keptTexts(effects, folder)
  if (values === undefined) throw rehearsalError('rehearsal.not-typed', folder)
  return { typed: typedSetup(values) }
}

const texts = record({
  homePath: text,
  execution: text,
  node: text,
  engine: text,
  secondExecution: optional(text),
  keystore: optional(text),
})

/** Returns what was typed for the network in a folder, if it was. Throws a `network.*` error that names the field. */
export async function keptTexts(
  effects: Effects,
  folder: string | undefined,
): Promise<NetworkSettings | undefined> {
  const path = folder === undefined ? undefined : join(folder, KEPT)
  if (path === undefined || (await effects.files.facts(path)) === undefined) return undefined
  const {
    secondExecution = '',
    keystore = '',
    ...rest
  } = decodeNetwork(KEPT, texts, parseNetworkJson(KEPT, await readText(effects, path)))
  return { ...rest, secondExecution, keystore }
}

/** The descriptor in the folder of a network. Throws a `file.*` error or a `network.*` error. */
export const descriptorIn = async (effects: Effects, folder: string): Promise<Descriptor> =>
  readDescriptor(await readText(effects, join(folder, 'descriptor.json')))
