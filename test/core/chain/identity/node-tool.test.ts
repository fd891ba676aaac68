import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { check } from '../../../../scripts/vectors/tool.ts'
import { type BaseError, isError } from '../../../../src/core/base/errors/base.ts'
import {
  findNodeTool,
  type NodeTool,
  readToolDeposit,
  readToolVerdict,
  toolCreateValidator,
  toolGenesisRoot,
  toolValidate,
  toolValidatorKeys,
} from '../../../../src/core/chain/identity/run-tool.ts'
import { playTool } from '../../../support/replay-tool.ts'

const recorded = readFileSync(new URL('../../../vectors/recorded/tool.jsonl', import.meta.url), 'utf8').split(
  '\n',
)

const deposit = {
  pubkey: `0x${'a9'.repeat(48)}`,
  withdrawalCredentials: `0x01${'00'.repeat(11)}${'20'.repeat(20)}`,
  amountGwei: 10_000_000_000_000n,
  signature: `0x${'8e'.repeat(96)}`,
} as const
const lines = `✅ Deposit message created successfully!
Note: These values are NOT a receipt.

pubkey: ${deposit.pubkey}
credentials: ${deposit.withdrawalCredentials}
amount: 10000000000000
signature: ${deposit.signature}
`
const json = JSON.stringify({
  pubkey: deposit.pubkey,
  credentials: deposit.withdrawalCredentials,
  amount: '0x9184e72a000',
  signature: deposit.signature,
})

type Ended = { stdout?: string; exitCode?: number; stderr?: string }
type Help = (args: readonly string[]) => { exitCode: number; stdout: string; stderr: string }

const WHOLE = [
  'config/config.toml',
  'config/app.toml',
  'config/client.toml',
  'data',
  'key.json',
  'state.json',
]
const CONFIG = `priv_validator_key_file = "key.json"
priv_validator_state_file = "state.json"
[rpc]
laddr = "tcp://127.0.0.1:26657"
`

/** A tool that ends so, in a home that has these parts. `asked` are its runs beside its help. */
async function toolWith(
  { stdout = '', exitCode = 0, stderr = '' }: Ended,
  { parts = WHOLE, help = (words) => playTool({ args: words }) }: { parts?: string[]; help?: Help } = {},
): Promise<{ tool: NodeTool; asked: string[] }> {
  const asked: string[] = []
  const facts = { kind: 'file', sizeBytes: 0, mode: 0o600, ownedByUser: true, identity: '1:1' } as const
  const files = {
    findProgram: async () => '/usr/bin/beacond',
    facts: async (path: string) => (parts.some((part) => path === `/node/${part}`) ? facts : undefined),
    read: async () => new TextEncoder().encode(CONFIG),
  }
  const exec = {
    scratch: <T>(use: (directory: string) => Promise<T>) => use('/scratch'),
    async run({ args, home }: { args: readonly string[]; home: string }) {
      if (args[0] === 'help') return help(args)
      asked.push(`HOME=${home} ${args.join(' ')}`)
      return { exitCode, stdout, stderr }
    },
  }
  const tool = await findNodeTool({ files, exec }, 'beacond')
  if (tool === undefined) throw new Error('the tool is not found')
  return { tool, asked }
}

const args = {
  home: '/node',
  withdrawalAddress: `0x${'20'.repeat(20)}`,
  amountGwei: deposit.amountGwei,
  genesisValidatorsRoot: `0x${'96'.repeat(32)}`,
} as const
const question = { ...deposit, genesisValidatorsRoot: args.genesisValidatorsRoot } as const

async function faultOf(run: Promise<unknown>): Promise<string> {
  const thrown: unknown = await run.then(
    () => undefined,
    (fault) => fault,
  )
  if (isError(thrown, 'tool')) return thrown.code.slice('tool.'.length)
  throw new Error(`expected a tool.* error, got ${String(thrown)}`)
}

describe('the node tool', () => {
  test('is read as it was recorded', async () => {
    expect(await check(recorded)).toEqual({ passed: 30, failures: [] })
  })

  test.each([
    ['labelled lines', lines],
    [
      'labelled lines with quotes and a hex amount',
      lines.replace('amount: 10000000000000', 'amount: "0x9184e72a000"'),
    ],
    ['JSON with a hex amount', json],
    ['JSON below a title', `✅ Deposit message created successfully!\n${json}\n`],
    ['JSON with a bare amount', json.replace('"0x9184e72a000"', '10000000000000')],
  ])('may print its deposit as %s', (_, stdout) => {
    expect(readToolDeposit(stdout)).toEqual(deposit)
  })

  test.each([
    ['nothing', ''],
    ['a field twice', `${lines}amount: 1\n`],
    ['a field too few', lines.replace(/signature.*/, '')],
    ['an amount with a unit', lines.replace('amount: 10000000000000', 'amount: 10000BERA')],
    ['an amount with an exponent', lines.replace('amount: 10000000000000', 'amount: 1e13')],
    ['an amount beyond 64 bits', lines.replace('amount: 10000000000000', 'amount: 18446744073709551616')],
    ['a short pubkey', lines.replace('a9a9', '')],
    ['JSON with a key twice', json.replace('{', '{"amount":"0x1",')],
    ['JSON that is cut', json.slice(0, -1)],
  ])('gives no opinion by %s', (_, stdout) => {
    expect(() => readToolDeposit(stdout)).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^tool\./) }),
    )
  })

  test('gives no opinion, and no crash, by any other text', () => {
    const piece = fc.constantFrom(
      'pubkey: ',
      'amount: ',
      'signature: ',
      'credentials: ',
      '0x',
      'aa',
      '1',
      '\n',
      '{',
      '}',
      '"',
      ':',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        expect(() => readToolDeposit(pieces.join(''))).toThrow(
          expect.objectContaining({ code: expect.stringMatching(/^tool\./) }),
        )
      }),
      { numRuns: 5000 },
    )
  })

  test('must answer about the address and the amount it was asked for', async () => {
    const { tool } = await toolWith({ stdout: lines })
    expect(await toolCreateValidator(tool, args)).toEqual(deposit)
    const address = `0x${'21'.repeat(20)}` as const
    expect(await faultOf(toolCreateValidator(tool, { ...args, withdrawalAddress: address }))).toBe(
      'other-answer',
    )
    expect(await faultOf(toolCreateValidator(tool, { ...args, amountGwei: 1n }))).toBe('other-answer')
    const crashing = await toolWith({ exitCode: 2, stderr: 'panic: x' })
    expect(await faultOf(toolCreateValidator(crashing.tool, args))).toBe('failed')
  })

  test('is always told a home, and never that of its user', async () => {
    const { tool, asked } = await toolWith({ stdout: `0x${'96'.repeat(32)}` })
    await toolGenesisRoot(tool, { genesisPath: '/genesis.json' })
    await toolCreateValidator(tool, args).catch(() => undefined)
    expect(asked).toEqual([
      'HOME=/scratch genesis validator-root /genesis.json --home /scratch',
      expect.stringMatching(/^HOME=\/scratch deposit create-validator .* --home \/node$/),
    ])
  })

  test.each(WHOLE)('is not run in a home without %s, which it would make', async (part) => {
    const { tool, asked } = await toolWith(
      { stdout: lines },
      { parts: WHOLE.filter((each) => each !== part) },
    )
    expect(await faultOf(toolCreateValidator(tool, args))).toBe('home-incomplete')
    expect(await faultOf(toolValidatorKeys(tool, args))).toBe('home-incomplete')
    expect(asked).toEqual([])
  })
})

describe('another program of that name', () => {
  const saying =
    (stdout: string, exitCode = 0): Help =>
    () => ({ exitCode, stdout, stderr: '' })
  test.each([
    ['says nothing to "help"', saying('')],
    ['has no commands of a node', saying('Available Commands:\n  serve    Serve beacons\n')],
    ['fails at "help"', saying('', 1)],
  ])('that %s is asked nothing more, whatever it would say', async (_, help) => {
    const { tool, asked } = await toolWith({ stdout: '' }, { help })
    const ask = toolValidate(tool, { ...question, home: '/node', genesisForkVersion: '0x04000000' })
    expect(await faultOf(ask)).toBe('not-asked')
    expect(asked).toEqual([])
  })

  test('that lacks one command is asked the others', async () => {
    const help: Help = (words) => {
      const played = playTool({ args: words })
      return { ...played, stdout: played.stdout.replace(/^ {2}validator-keys .*$/m, '') }
    }
    const { tool } = await toolWith({ stdout: lines }, { help })
    expect(await faultOf(toolValidatorKeys(tool, args))).toBe('not-asked')
    expect(await toolCreateValidator(tool, args)).toEqual(deposit)
  })
})

describe('the verdict of the node tool', () => {
  const read = (exitCode: number, stdout: string, stderr = '') =>
    readToolVerdict({ exitCode, stdout, stderr })
  const VALID = '✅ Deposit message is valid!\n'

  test.each([
    ['the known line', VALID],
    ['nothing at all', ''],
    ['blank lines', '\n \n'],
  ])('is yes with exit code 0 and %s', (_, stdout) => {
    expect(read(0, stdout)).toEqual({ valid: true })
  })

  test.each([
    ['Error: signer returned an invalid signature\nUsage:', 'signer returned an invalid signature'],
    ['Error: the deposit was refused\nUsage:\n  beacond', 'the deposit was refused'],
    ['Error: failed to verify deposit: pairing check', 'failed to verify deposit: pairing check'],
    ['Error: invalid signature in config/deposit.toml', 'invalid signature in config/deposit.toml'],
    ['Error: \u001b[31mno\u202e', '·[31mno·'],
    ['', 'without a reason'],
  ])('is no with exit code 1 and %j', (stderr, words) => {
    expect(read(1, '', stderr)).toEqual({ valid: false, words })
  })

  test.each([
    ['another text', 0, 'Deposit message is not valid!', ''],
    ['another text beside the line', 0, `${VALID}but ignored`, ''],
    ['its help', 0, 'deposit subcommands\n\nUsage:\n  beacond deposit', ''],
    ['a warning alone', 0, '', 'WARN no chain spec'],
    ['an error beside the line', 0, VALID, 'Error: no'],
    ['the line beside exit code 1', 1, VALID, ''],
    ['an unknown command', 1, '', 'Error: unknown command "validate" for "beacond deposit"'],
    ['an unknown flag', 1, '', "Error: unknown shorthand flag: 'g' in -g"],
    ['too few arguments', 1, '', 'Error: accepts between 4 and 5 arg(s), received 3'],
    ['a missing flag', 1, '', 'Error: genesis validator root is required if not using the genesis file flag'],
    ['an argument it cannot read', 1, '', 'Error: invalid public key length'],
    ['an amount it cannot read', 1, '', 'Error: invalid amount\nUsage:'],
    ['a file it cannot read', 1, '', 'Error: open spec.toml: no such file or directory'],
    ['settings it cannot read', 1, '', 'Error: failed to read in config/app.toml: syntax'],
    ['its usage alone', 1, '', 'Usage:\n  beacond\nFlags:\n  --beacon-kit.chain-spec string'],
    ['a crash', 2, '', 'panic: runtime error\n\ngoroutine 1 [running]:'],
    ['a crash with exit code 0', 0, '', 'panic: x'],
    ['a crash with exit code 1', 1, '', 'panic: invalid signature'],
    ['another exit code', 3, '', 'Error: signer returned an invalid signature'],
    ['a shell that cannot start it', 127, '', 'not found'],
  ])('is neither yes nor no with %s', (_, exitCode, stdout, stderr) => {
    expect(() => read(exitCode, stdout, stderr)).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^tool\./) }),
    )
  })

  test('is yes for nothing but the line or silence, whatever else it prints', () => {
    const piece = fc.constantFrom('Deposit message is valid!', '✅', ' not ', '\n', 'Error: ', 'no', 'Usage:')
    const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3 }), text, text, (exitCode, stdout, stderr) => {
        const isYes =
          exitCode === 0 &&
          (/^\W*Deposit message is valid!\s*$/.test(stdout) || `${stdout}${stderr}`.trim() === '')
        const valid = () => {
          try {
            return read(exitCode, stdout, stderr).valid
          } catch {
            return false
          }
        }
        if (!isYes) expect(valid()).toBe(false)
      }),
      { numRuns: 3000 },
    )
  })

  test('is asked for in the home where it is whole, and without one for the networks it knows', async () => {
    const ask = async (parts: string[], genesisForkVersion: `0x${string}`) => {
      const { tool, asked } = await toolWith({ stdout: VALID }, { parts })
      const verdict = toolValidate(tool, { ...question, home: '/node', genesisForkVersion })
      const said = await verdict.then(
        ({ valid }) => String(valid),
        (fault: BaseError) => fault.code,
      )
      return [said, asked.map((call) => call.replace(/.* --home/, '--home')).join()]
    }
    expect(await ask(WHOLE, '0x05000000')).toEqual(['true', '--home /node'])
    expect(await ask([], '0x04000000')).toEqual(['true', '--home /scratch'])
    expect(await ask([], '0x05000000')).toEqual(['tool.not-asked', ''])
  })
})
