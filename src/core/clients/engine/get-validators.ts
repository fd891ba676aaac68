import { ClientError } from '../../errors/client.ts'
import { type Decoder, decimal, decimalIndex, list, record, refuse } from '../../format/decode.ts'
import { type EngineKey, engineAddress, engineKeyField, height } from './blocks.ts'
import type { EngineClient } from './client.ts'

type EngineValidator = { address: string; publicKey: EngineKey; votingPowerGwei: bigint }
export type EngineValidatorSet = { height: bigint; validators: EngineValidator[] }
type Page = EngineValidatorSet & { total: number }

const PAGE_SIZE = 100
const SMALL_PAGE_SIZE = 10
const MOST_VALIDATORS = 10_000

const entry: Decoder<EngineValidator> = (value, path) => {
  const read = record({ address: engineAddress, pub_key: engineKeyField, voting_power: decimal })(value, path)
  return { address: read.address, publicKey: read.pub_key, votingPowerGwei: read.voting_power }
}
const fields = record({ block_height: height, validators: list(entry), total: decimalIndex })

const decodePage: Decoder<Page> = (value, path) => {
  const { block_height, validators, total } = fields(value, path)
  if (total > MOST_VALIDATORS) refuse(`${path}.total`, `at most ${MOST_VALIDATORS}`, total)
  return { height: block_height, validators, total }
}

/**
 * The engine's whole validator set at one height, the latest unless given: page by page until the engine's own
 * total is reached, every page at the height of the first. Voting power is the effective balance in gwei. When a
 * page is too large for the cap, smaller pages are asked for. Throws a `ClientError`.
 */
export async function getEngineValidators(
  client: EngineClient,
  args: { height?: bigint } = {},
): Promise<EngineValidatorSet> {
  try {
    return await readPages(client, args.height, PAGE_SIZE)
  } catch (thrown) {
    if (!(thrown instanceof ClientError) || thrown.fault !== 'too-large') throw thrown
    return readPages(client, args.height, SMALL_PAGE_SIZE)
  }
}

async function readPages(
  client: EngineClient,
  at: bigint | undefined,
  pageSize: number,
): Promise<EngineValidatorSet> {
  const first = await readPage(client, { at, page: 1, pageSize })
  const validators = [...first.validators]
  for (let page = 2; validators.length < first.total; page += 1) {
    const next = await readPage(client, { at: first.height, page, pageSize, expect: first })
    validators.push(...next.validators)
  }
  return { height: first.height, validators }
}

function readPage(
  client: EngineClient,
  args: { at: bigint | undefined; page: number; pageSize: number; expect?: Page },
): Promise<Page> {
  const heightQuery = args.at === undefined ? [] : [['height', String(args.at)] as const]
  const query = [['page', String(args.page)], ['per_page', String(args.pageSize)], ...heightQuery] as const
  const decode: Decoder<Page> = (value, path) => {
    const page = decodePage(value, path)
    if (page.validators.length === 0 && page.total > 0)
      refuse(`${path}.validators`, 'at least one', page.validators)
    const { expect } = args
    if (expect === undefined) return page
    if (page.height !== expect.height) refuse(`${path}.block_height`, String(expect.height), page.height)
    return page.total === expect.total ? page : refuse(`${path}.total`, String(expect.total), page.total)
  }
  return client.ask({ method: 'validators', query, decode })
}
