import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * `node fake-beacond-program.ts HOME ARGUMENTS…`: the node tool for tests, behind the script that makes its home. It signs
 * and judges deposits for real, with the fork version of that home.
 */
const TAKES_VALUE: ReadonlySet<string> = new Set(['--home', '-g'])
const MAINNET_FORK_VERSION = '0x04000000'
const [home = '', ...args] = process.argv.slice(2)
const { words, options } = readArguments(args)

process.exitCode = await main()

function readArguments(all: readonly string[]) {
  const words: string[] = []
  const options = new Map<string, string>()
  for (const [at, word] of all.entries()) {
    const before = all[at - 1] ?? ''
    if (TAKES_VALUE.has(before)) options.set(before, word)
    else if (!TAKES_VALUE.has(word)) words.push(word)
  }
  return { words, options }
}

async function main(): Promise<number> {
  const [first = '', second = ''] = words
  switch (`${first} ${second}`.trim()) {
    case 'status':
      return status()
    // The recorded one prints an empty line.
    case 'version':
      return say('\n')
    case 'genesis validator-root':
      return validatorRoot(words[2] ?? '')
    case 'deposit validator-keys':
      return validatorKeys()
    case 'deposit create-validator':
      return createValidator()
    case 'deposit validate':
      return validate()
    default:
      return fail(`unknown command "${first}" for "beacond"`)
  }
}

async function status(): Promise<number> {
  const [, node = ''] = /^node = "tcp:(.+)"$/m.exec(configFile('client.toml')) ?? []
  const reply = await fetch(`http:${node}/status`).catch(() => undefined)
  if (reply === undefined)
    return fail(`post failed: Post "http:${node}": dial tcp: connect: connection refused`)
  const { result } = (await reply.json()) as { result: unknown }
  return say(`${JSON.stringify(result)}\n`)
}

async function genesisOf(path: string) {
  const { genesisReader } = await import('../../src/core/chain/identity/read-genesis.ts')
  const { genesisRoots } = await import('../../src/core/chain/deposit/genesis-root.ts')
  const { MAINNET } = await import('../../src/core/chain/network/presets.ts')
  const roots = genesisRoots(MAINNET.spec)
  const reader = genesisReader((deposit) => roots.add(deposit))
  reader.write(readFileSync(path))
  return { ...reader.end(), root: roots.root() }
}

async function validatorRoot(path: string): Promise<number> {
  if (!existsSync(path)) return fail(`failed to genesis json file: open ${path}: no such file or directory`)
  return say(`${(await genesisOf(path)).root}\n`)
}

async function keyOfHome() {
  const { readKeyFile } = await import('../../src/core/chain/identity/key-file.ts')
  const path = join(home, 'config/priv_validator_key.json')
  if (!existsSync(path)) writeFileSync(path, '"a new key nobody asked for"')
  return readKeyFile(readFileSync(path), 'cometbft')
}

async function validatorKeys(): Promise<number> {
  const { address, pubkey, uncompressedPubkey } = (await keyOfHome()).facts
  const base64 = Buffer.from(uncompressedPubkey.slice(2), 'hex').toString('base64')
  const blocks = [
    `Comet Address:\n${address}\n`,
    `Comet Pubkey (Uncompressed Base64):\n${base64}\n`,
    `Eth/Beacon Pubkey (Compressed 48-byte Hex):\n${pubkey}\n`,
  ]
  return say(blocks.join('\n'))
}

/** What the home's settings sign for; the root is given. */
async function chainOf() {
  const isFile = /^chain-spec = "file"$/m.test(configFile('app.toml'))
  const genesisForkVersion = isFile
    ? (await genesisOf(join(home, 'config/genesis.json'))).genesisForkVersion
    : MAINNET_FORK_VERSION
  return { genesisForkVersion, genesisValidatorsRoot: (options.get('-g') ?? '0x') as `0x${string}` } as const
}

async function createValidator(): Promise<number> {
  const [, , address = '', amount = ''] = words
  const { signDepositMessage } = await import('../../src/core/chain/deposit/sign.ts')
  const { facts, secretKey } = await keyOfHome()
  const message = {
    pubkey: facts.pubkey,
    withdrawalCredentials: `0x01${'00'.repeat(11)}${address.slice(2).toLowerCase()}`,
    amountGwei: BigInt(amount),
  } as const
  const signature = signDepositMessage(secretKey, message, await chainOf())
  return say(`✅ Deposit message created successfully!

pubkey: ${message.pubkey}
credentials: ${message.withdrawalCredentials}
amount: ${amount}
signature: ${signature}
`)
}

async function validate(): Promise<number> {
  const [, , pubkey, withdrawalCredentials, amount = '', signature] = words as `0x${string}`[]
  if (pubkey === undefined || withdrawalCredentials === undefined || signature === undefined)
    return fail('accepts between 4 and 5 arg(s)')
  const { verifyDeposit } = await import('../../src/core/chain/deposit/verify.ts')
  const message = { pubkey, withdrawalCredentials, amountGwei: BigInt(amount), signature }
  const { verdict } = verifyDeposit({ ...message, ...(await chainOf()) })
  return verdict === 'accepted'
    ? say('✅ Deposit message is valid!\n')
    : fail('signer returned an invalid signature\ninvalid deposit message')
}

function configFile(name: string): string {
  return readFileSync(join(home, 'config', name), 'utf8')
}

function say(text: string): number {
  process.stdout.write(text)
  return 0
}

function fail(words: string): number {
  process.stderr.write(`Error: ${words}\nUsage:\n  beacond [command]\n`)
  return 1
}
