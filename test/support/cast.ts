import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { formatGwei } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'

/** The platform whose package `test/programs` names: there the program must be found, elsewhere it is not looked for. */
export const CAST_IS_PACKAGED = process.platform === 'linux' && process.arch === 'x64'

/** A first deposit as its file has it. */
export type CastDeposit = {
  pubkey: Hex
  withdrawalCredentials: Hex
  signature: Hex
  operator: Hex
  amountGwei: bigint
}

/** The real `cast` with the play-money keystore of a rehearsal network, in a home of its own. */
export type Cast = {
  /** Runs it with these words; resolves to what it prints, rejects with what it says. */
  run(...words: string[]): Promise<string>
  /** Hands a shown `cast mktx` command to a shell as it is printed, its wallet replaced by the keystore and password. */
  sign(command: string): Promise<Hex>
  /** Hands a shown `cast send` command to a shell in the same way, with the network's endpoint; resolves to the hash. */
  sendShown(command: string): Promise<Hex>
  /** Sends what it signed. */
  publish(raw: Hex): Promise<Hex>
  /** Sends a first deposit by `cast send` alone; resolves to its transaction's hash. */
  firstDeposit(deposit: CastDeposit): Promise<Hex>
  /** Sends a top-up by `cast send` alone: zero credentials, zero signature, zero operator. */
  topUp(pubkey: Hex, amountGwei: bigint): Promise<Hex>
}

const PACKAGE = '@foundry-rs/cast-linux-amd64'
const DEPOSIT = 'deposit(bytes,bytes,bytes,address)'
const zeros = (bytes: number): Hex => `0x${'00'.repeat(bytes)}`

/** The `cast` of the package, for one rehearsal network. `directory` gets its home and the file with the password. */
export function castOf(devnet: Devnet, directory: string): Cast {
  const program = packagedCast()
  const { keystore, urls, chainId } = devnet.descriptor
  const home = join(directory, 'cast-home')
  const password = join(home, 'password')
  mkdirSync(home, { recursive: true, mode: 0o700 })
  writeFileSync(password, keystore.password)
  chmodSync(password, 0o600)
  const wallet = ['--keystore', keystore.path, '--password-file', password]
  const env = { HOME: home, PATH: [dirname(program), '/usr/bin', '/bin'].join(delimiter), LANG: 'C.UTF-8' }
  const run = (...words: string[]) => output(program, words, env)
  const send = async (amountGwei: bigint, args: readonly string[]): Promise<Hex> => {
    const value = `${formatGwei(amountGwei).replaceAll(',', '')}ether`
    const chain = ['--rpc-url', urls.execution, '--chain', String(chainId)]
    const { depositContract } = devnet.chain.input.spec
    const words = [
      'send',
      '--async',
      ...chain,
      ...wallet,
      '--value',
      value,
      depositContract,
      DEPOSIT,
      ...args,
    ]
    return (await run(...words)) as Hex
  }
  return {
    run,
    sign: async (command) => {
      const signing = command.replace(/ --(ledger|keystore \S+) /, ` ${wallet.join(' ')} `)
      return (await output('/bin/sh', ['-c', signing], env)) as Hex
    },
    sendShown: async (command) => {
      const sending = command
        .replace(/ --ledger /, ` ${wallet.join(' ')} `)
        .replace(' --rpc-url RPC ', ` --async --rpc-url ${urls.execution} `)
      return (await output('/bin/sh', ['-c', sending], env)) as Hex
    },
    publish: async (raw) => (await run('publish', '--async', '--rpc-url', urls.execution, raw)) as Hex,
    firstDeposit: ({ pubkey, withdrawalCredentials, signature, operator, amountGwei }) =>
      send(amountGwei, [pubkey, withdrawalCredentials, signature, operator]),
    topUp: (pubkey, amountGwei) => send(amountGwei, [pubkey, zeros(32), zeros(96), zeros(20)]),
  }
}

function packagedCast(): string {
  const manifest = fileURLToPath(import.meta.resolve(`${PACKAGE}/package.json`))
  const program = join(dirname(manifest), 'bin/cast')
  if (existsSync(program)) return program
  throw new Error(`npm ci brings the program ${program} on Linux x64, and it is not there`)
}

function output(program: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, words, { env }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout.trim())
      else reject(new Error(`${program} ${words.join(' ')}: ${stderr.trim()}`))
    })
  })
}
