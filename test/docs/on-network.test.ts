import { copyFile, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getAddress } from 'viem'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { api } from '../../src/commands/api.ts'
import type { CommandInput } from '../../src/commands/command.ts'
import { completion } from '../../src/commands/completion.ts'
import { config } from '../../src/commands/config.ts'
import { doctor } from '../../src/commands/doctor.ts'
import { genesis } from '../../src/commands/genesis.ts'
import { keys } from '../../src/commands/keys.ts'
import { leaveCommand } from '../../src/commands/leave.ts'
import { calledWord } from '../../src/commands/read-arguments.ts'
import { sign } from '../../src/commands/sign.ts'
import { status } from '../../src/commands/status.ts'
import { report } from '../../src/commands/support-report.ts'
import type { CommandName } from '../../src/commands/table-options.ts'
import { topUpPlanCommand } from '../../src/commands/topup-plan.ts'
import { verify } from '../../src/commands/verify.ts'
import { watch } from '../../src/commands/watch.ts'
import { EXIT, type ExitCode } from '../../src/output/io.ts'
import { lookingWorld } from '../support/looking-world.ts'
import { pagesOf } from '../support/markdown.ts'
import { networkFileOf } from '../support/network-file-of.ts'
import { FILLS, namedCommands, ownOf, shownLines, typed } from '../support/page-commands.ts'
import { userOf } from '../support/user-of.ts'

/** Why a command is not run here. Its words are read by its parser all the same (commands.test.ts). */
type Why =
  | 'it asks a person'
  | 'it starts or walks a network: npm run hard runs it'
  | 'it serves until it is stopped'

/** What runs each command of the table; one that is new does not compile until it is here. */
const RUNS: Readonly<Record<CommandName, ((input: CommandInput) => Promise<ExitCode>) | Why>> = {
  rehearse: 'it starts or walks a network: npm run hard runs it',
  devnet: 'it starts or walks a network: npm run hard runs it',
  genesis,
  keys,
  sign,
  verify,
  api,
  status,
  watch,
  'topup-plan': topUpPlanCommand,
  leave: leaveCommand,
  doctor,
  config,
  report,
  completion,
}

/** The same, by what else is in the line. */
function whyNot(words: readonly string[]): Why | undefined {
  const { word } = calledWord(words)
  if (word === undefined || word === 'help') return 'it asks a person'
  const run = RUNS[word as CommandName]
  if (typeof run === 'string') return run
  if (word === 'watch' && !words.includes('--example-config')) return 'it serves until it is stopped'
  return undefined
}

const pages = pagesOf()
const calls = [...shownLines(pages), ...namedCommands(pages)]
  .flatMap(({ path, line }) => ownOf(line).map((command) => ({ path, command })))
  .filter(({ command }, at, all) => all.findIndex((each) => each.command === command) === at)
  .filter(({ command }) => !isName(command))
const looking = calls.filter(({ command }) => whyNot(typed(command)) === undefined)

/** Whether a sentence only names a command, which needs more words than that to be called. */
function isName(command: string): boolean {
  const words = typed(command).filter((word) => word !== '')
  return words.length < 2 && !['config', 'report'].includes(words[0] ?? '')
}

/** Commands that are about this computer and ask no network where none is named. */
const OF_THIS_COMPUTER: readonly CommandName[] = ['completion', 'config', 'report', 'watch']
const ADDRESSES = ['--withdrawal', '--operator']
const DEPOSITED = 12

describe('each command of a page that only looks or signs', () => {
  const { devnet, directory, effects, strangeHome } = lookingWorld()
  let folder: string
  let freshHome: string
  let hash: string
  let files = 0

  beforeAll(async () => {
    folder = await mkdtemp(join(directory(), 'reader-'))
    freshHome = await strangeHome()
    const { home } = devnet().descriptor
    await copyFile(join(home, 'config/genesis.json'), join(freshHome, 'config/genesis.json'))
    await copyFile(join(home, 'config/priv_validator_key.json'), join(folder, 'backup.json'))
    await writeFile(join(folder, 'descriptor.json'), JSON.stringify(devnet().descriptor))
    await writeFile(join(folder, 'network.json'), networkFileOf(devnet().descriptor))
    const signed = 'sign --network NAME --withdrawal … --operator … --amount … --home HOME --out deposit.txt'
    expect((await runs(here(signed))).code).toBe(EXIT.done)
    hash = await (await userOf(devnet())).firstDeposit(10_000n)
    await vi.waitUntil(() => devnet().state().validators.length > DEPOSITED, { timeout: 60_000 })
    // A state is proven by the block after it.
    const countedSlot = devnet().state().slot
    await vi.waitUntil(() => devnet().state().slot >= countedSlot + 2n, { timeout: 60_000 })
  }, 60_000)

  /** The words as a reader of the page types them who has this network, this folder and these homes. */
  function here(command: string): string[] {
    const { operator, spec, home, urls } = devnet().descriptor
    const network = join(folder, 'descriptor.json')
    const alone = {
      ...FILLS.alone,
      PATH: `/bkit/v1/proof/validator_pubkey/head/${DEPOSITED}`,
      WHAT: hash,
      TRANSACTION_HASH: hash,
    }
    const words = typed(command, { ...FILLS, alone })
    const name = calledWord(words).word as CommandName
    // Who names the endpoints has no home yet: a file tells the network then, for a descriptor brings a home.
    const isHomeless = words.includes('--execution') && !words.includes('--home')
    const read: Readonly<Record<string, string>> = {
      'genesis.json': join(home, 'config/genesis.json'),
      'spec.toml': spec,
      'deposit.txt': join(folder, 'deposit.txt'),
    }
    const valueAfter: Readonly<Record<string, string>> = {
      '--network': isHomeless ? join(folder, 'network.json') : network,
      '--devnet': network,
      '--home': name === 'sign' ? freshHome : home,
      '--execution': urls.execution,
      '--node': urls.node,
      '--backup': join(folder, 'backup.json'),
      ...Object.fromEntries(ADDRESSES.map((option) => [option, getAddress(operator)])),
    }
    const filled = words.flatMap((word, at) => {
      const before = words[at - 1] ?? ''
      if (before === '--out' && word === 'FILE') return [newFile()]
      return [word === '--network' && !isHomeless ? '--devnet' : (valueAfter[before] ?? read[word] ?? word)]
    })
    // What a sentence leaves out, and where a file would else be written: beside this test.
    if (name === 'sign' && !filled.includes('--home')) filled.push('--home', freshHome)
    if (name === 'sign' && !filled.includes('--out')) filled.push('--out', newFile())
    const hasNetwork = ['--network', '--devnet', '--spec'].some((option) => filled.includes(option))
    return hasNetwork || OF_THIS_COMPUTER.includes(name) ? filled : [...filled, '--devnet', network]
  }

  function newFile(): string {
    files += 1
    return join(folder, `new-${files}.json`)
  }

  const ran = new Map<string, Promise<{ code: ExitCode; said: string }>>()

  /** What a command says; of several pages that come to the same words, once. */
  function runs(words: readonly string[]) {
    const line = words.join(' ')
    const result = ran.get(line) ?? newRun(words)
    ran.set(line, result)
    return result
  }

  async function newRun(words: readonly string[]) {
    const { word, rest } = calledWord(words)
    const run = RUNS[word as CommandName]
    if (typeof run !== 'function') throw new Error(`not run here: ${words.join(' ')}`)
    const said: string[] = []
    const say = (line: string) => void said.push(line)
    const code = await run({
      argv: rest,
      effects: effects(),
      io: { out: say, err: say, signal: new AbortController().signal },
      stateDirectory: join(folder, 'state'),
      environment: { HOME: folder },
      ...(words.includes('--out') && { ask: async () => 'yes' }),
    })
    return { code, said: said.join('\n') }
  }

  test.each(looking)('gets an answer as $path prints it: $command', async ({ command }) => {
    const { code, said } = await runs(here(command))
    expect([EXIT.done, EXIT.no], said).toContain(code)
  })

  test.each([
    'status --network mainnet --validater 12',
    'status --network mainnet 12',
    'topup-plan --network mainnet --validator 12 --amount ten',
    'topup-plan --network mainnet --validator 99',
    'keys --home HOME --netwrok bepolia',
    'sign --network bepolia --withdraw ADDRESS --operator ADDRESS --amount 10000 --home HOME',
    'verify deposits.txt --network mainnet',
    'genesis genesis.jsn --spec spec.toml',
    'completion csh',
    'report --out FILE',
  ])('would not get one, were it printed with a fault: %s', async (command) => {
    const { code } = await runs(here(command))
    expect(code).toBe(EXIT.wrongUse)
  })

  test('are many, and each other one has a reason not to be run', () => {
    expect(looking.length).toBeGreaterThan(35)
    const reasons = new Set(calls.flatMap(({ command }) => whyNot(typed(command)) ?? []))
    expect(reasons).toEqual(
      new Set<Why>([
        'it asks a person',
        'it starts or walks a network: npm run hard runs it',
        'it serves until it is stopped',
      ]),
    )
  })
})
