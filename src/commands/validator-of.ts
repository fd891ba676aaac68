import { givenValidator } from '../compose/given-validator.ts'
import { type Survey, surveySource } from '../core/consensus/survey.ts'
import { badUsage } from '../core/errors/base.ts'
import type { NodeSetup, Setup } from '../core/facts.ts'
import { endpointName } from '../core/format/endpoint-url.ts'
import type { Hex } from '../core/format/hex.ts'
import { readHome } from '../core/identity/home.ts'
import { ownRecord } from '../core/steps/status/own.ts'
import type { Call } from './command.ts'
import type { ReportRow } from './report-lines.ts'
import { requireHome } from './setup.ts'

/** Options that name the validator a command is about; the later one is what the first was called before. */
const VALIDATOR_OPTIONS = ['validator', 'pubkey'] as const

/** The validator a command is about. */
export type NamedValidator = {
  pubkey: Hex
  /** The index that it was named by, and the endpoint that gave its key; undefined where the key was given. */
  by: { index: number; endpoint: string } | undefined
  /** Whether it is that of the home; else it may be anybody's. */
  isOwn: boolean
}

/**
 * The validator that an option names, by its public key or by the index that the node resolves; undefined where none
 * does. Throws `usage.option`, and as `givenValidator` where an index cannot be resolved.
 */
export async function namedValidator(
  call: Call,
  setup: Setup,
  names: readonly string[],
): Promise<NamedValidator | undefined> {
  const given = names.filter((name) => call.options[name] !== undefined)
  const [name, other] = given
  if (name === undefined) return undefined
  const text = call.options[name] ?? ''
  if (other !== undefined) {
    const sentence = `Give one of --${name} and --${other}: both name the validator.`
    throw badUsage({ sentence, next: `Leave --${other} out.` })
  }
  const { effects } = call
  const { network, endpoints } = setup
  const { pubkey, index } = await givenValidator(effects, { text, node: endpoints.node, network })
  const by = index === undefined ? undefined : { index, endpoint: endpointName(endpoints.node) }
  return { pubkey: pubkey.toLowerCase() as Hex, by, isOwn: false }
}

/**
 * The validator that is named, else that of the key of the home, which the signer child derives. Throws as
 * `namedValidator`, `usage.no-home`, a `HomeError`, a `FileError`, or what the signer child says.
 */
export async function validatorOf(call: Call, setup: NodeSetup): Promise<NamedValidator> {
  const named = await namedValidator(call, setup, VALIDATOR_OPTIONS)
  if (named !== undefined) return named
  const { homePath, network } = setup
  await requireHome(call, setup, 'Or name the validator itself: --validator PUBKEY or its index.')
  const { keyFile, remoteSigner } = await readHome(call.effects, { homePath, network })
  if (remoteSigner === '') {
    const { keyTypePrefix } = network.names
    const { pubkey } = await call.effects.signer.inspect({ keyFile, keyTypePrefix })
    return { pubkey, by: undefined, isOwn: true }
  }
  const sentence = 'A remote signer holds the key of this home.'
  throw badUsage({ sentence, next: 'Give its public key with --validator.' })
}

/**
 * A line about the index that the validator was named by, with its key: the node resolved it, so it is reported, unless
 * a proven state has the key at that place too. Nothing for a validator that was named by its key.
 */
export function indexRows({ pubkey, by }: NamedValidator, survey: Survey, setup: Setup): ReportRow[] {
  if (by === undefined) return []
  const shape = { step: 'status', id: 'index', label: `validator ${by.index}`, long: pubkey } as const
  const place = ownRecord(survey, pubkey, setup)?.index
  const isHeld = survey.indexes.includes(by.index) || place !== undefined
  if (survey.proof === undefined || !isHeld)
    return [{ ...shape, mark: 'unasked', value: 'has this key, reported', source: by.endpoint }]
  if (place === by.index)
    return [{ ...shape, mark: 'proven', value: 'has this key', source: surveySource(survey) }]
  const value = 'the proven state has another key at this index than the node gave'
  return [{ ...shape, mark: 'refused', value, source: by.endpoint }]
}
