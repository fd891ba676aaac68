import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { api } from '../../src/commands/api.ts'
import type { CommandInput } from '../../src/commands/command.ts'
import { doctor } from '../../src/commands/doctor.ts'
import { genesis } from '../../src/commands/genesis.ts'
import { keys } from '../../src/commands/keys.ts'
import { leaveCommand } from '../../src/commands/leave.ts'
import { calledWord, readArguments } from '../../src/commands/read-arguments.ts'
import { sign } from '../../src/commands/sign.ts'
import { status } from '../../src/commands/status.ts'
import { commandNamed, WIZARD } from '../../src/commands/table.ts'
import type { CommandName } from '../../src/commands/table-options.ts'
import { topUpPlanCommand } from '../../src/commands/topup-plan.ts'
import { verify } from '../../src/commands/verify.ts'
import { networkChoice } from '../../src/compose/network-choice.ts'
import { createNodeRandom } from '../../src/core/base/effects/node.ts'
import { createNodeClock } from '../../src/core/base/effects/node-clock.ts'
import { BaseError } from '../../src/core/base/errors/base.ts'
import { EXIT, type ExitCode } from '../../src/output/io.ts'
import { hardTest } from '../support/hard.ts'
import { codeSpansOf, pagesOf, ROOT, shellLinesOf } from '../support/markdown.ts'
import { namedCommands, npmFaults, ownOf, shownLines, strayLines, typed } from '../support/page-commands.ts'
import { CLI } from '../support/run-cli.ts'
import { bareEffects, runCommandWith } from '../support/run-command.ts'

/** Why a command that a page shows is not run by a test as it is printed. This program's own ones are read by its parser all the same. */
type Why =
  | 'it asks a person'
  | 'it asks a network: on-network.test.ts runs it on one of its own'
  | 'it needs a rehearsal network: npm run hard runs it'
  | 'it sends alarms'
  | 'it serves until it is stopped'
  | 'it installs, builds or tests this program'
  | 'it is a program of others, and needs a node, a machine or a right that a test has not'

const PERSON = 'it asks a person'
const ASKS = 'it asks a network: on-network.test.ts runs it on one of its own'
const HARD_RUN = 'it needs a rehearsal network: npm run hard runs it'
const SERVES = 'it serves until it is stopped'
const BUILDS = 'it installs, builds or tests this program'
const OTHERS = 'it is a program of others, and needs a node, a machine or a right that a test has not'

/** The lines of this project that are not run as printed. */
const NOT_RUN: Readonly<Record<string, Why>> = {
  'npm ci': BUILDS,
  'npm start': PERSON,
  'npm test': BUILDS,
  'npm ci && npm start': PERSON,
  'npm ci && npm test': BUILDS,
  'npm run release': BUILDS,
  'mkdir image && npm pack --pack-destination image': BUILDS,
  'bearings --lang zh': PERSON,
  'bearings --network bepolia': PERSON,
  'bearings --network mainnet': PERSON,
  'bearings --network mainnet --validator 12': PERSON,
  'bearings --network mainnet --validator 12 --topup 20000': PERSON,
  'bearings doctor --network mainnet --home ~/.beacond': ASKS,
  'bearings status --network mainnet --validator 12': ASKS,
  'bearings leave --network mainnet --validator 12': ASKS,
  'bearings leave --network mainnet --validator 12 --amount 10,000': ASKS,
  'bearings topup-plan --network mainnet': ASKS,
  'bearings topup-plan --network mainnet --execution https://rpc.berachain.com --node URL': ASKS,
  'bearings topup-plan --network mainnet --validator 12': ASKS,
  'bearings topup-plan --network mainnet --validator 12 --amount 20000': ASKS,
  'bearings verify TRANSACTION_HASH --network mainnet': ASKS,
  'bearings verify deposit.txt --network mainnet': ASKS,
  'bearings keys --home HOME --network bepolia': ASKS,
  'bearings sign --network bepolia --withdrawal ADDRESS --operator ADDRESS --amount 10000 --home HOME': ASKS,
  'bearings watch 12=home --network mainnet': SERVES,
  'bearings watch 12=home 31=cellar --config ~/.config/bearings/watch.toml': SERVES,
  'bearings watch --acknowledge all --network mainnet': PERSON,
  'bearings watch --config watch.toml --metrics 127.0.0.1:9478': SERVES,
  'bearings watch --guard --network mainnet --node http://127.0.0.1:3500,https://node.example': SERVES,
  'bearings watch --config ~/.config/bearings/watch.toml --test-alarm': 'it sends alarms',
  'bearings watch --example-config | sudo tee /etc/bearings/watch.toml > /dev/null': OTHERS,
  'bearings --scenario outbid-at-night': HARD_RUN,
  'bearings --scenario outbid-while-active': HARD_RUN,
  'bearings devnet --port-base 28545 --scenario set-full --directory ./network': HARD_RUN,
  'bearings devnet --directory ./moved --second-node': HARD_RUN,
  'bearings rehearse --devnet ./moved/descriptor.json --state ./moved-rehearsal': HARD_RUN,
  'bearings doctor --standby --devnet ./moved/descriptor.json': HARD_RUN,
  'bearings doctor --standby --network mainnet --home ~/.beacond': ASKS,
  'bearings doctor --standby --network mainnet --validator 12': ASKS,
}

/** The programs whose lines are not run. */
const NOT_OURS: Readonly<Record<string, Why>> = {
  beacond: OTHERS,
  cat: OTHERS,
  cd: OTHERS,
  chmod: OTHERS,
  cp: OTHERS,
  cosign: OTHERS,
  git: OTHERS,
  sha256sum: OTHERS,
  cast: OTHERS,
  curl: OTHERS,
  journalctl: OTHERS,
  mv: OTHERS,
  podman: OTHERS,
  ssh: OTHERS,
  sudo: OTHERS,
}

/** What a line needs that names the descriptor of a network which the page has started. */
const ON_NETWORK = './network/descriptor.json'
/** Its page says that the answer is no. */
const ANSWERS_NO = 'bearings leave --devnet ./network/descriptor.json --validator 3'

const programOf = (line: string): string => line.split(' ')[0] ?? ''
const isRun = (line: string): boolean =>
  !line.includes(ON_NETWORK) && !Object.hasOwn(NOT_RUN, line) && !Object.hasOwn(NOT_OURS, programOf(line))

/** The commands that only look or sign, by their name; of the others the line is read. One that is new does not compile until it is here. */
const RUN_HERE: Readonly<
  Record<CommandName | 'help', ((input: CommandInput) => Promise<ExitCode>) | 'read' | 'help'>
> = {
  rehearse: 'read',
  devnet: 'read',
  genesis,
  keys,
  sign,
  verify,
  api,
  status,
  watch: 'read',
  'topup-plan': topUpPlanCommand,
  leave: leaveCommand,
  doctor,
  config: 'read',
  report: 'read',
  completion: 'read',
  help: 'help',
}

/** What a world without a file says of a command that is well written. */
const NOTHING_HERE: readonly unknown[] = ['usage.no-home', 'usage.no-rehearsal', 'file.missing']

const nobody = { request: () => Promise.reject(new Error('nobody answers here')) }
const effects = bareEffects({ http: nobody, clock: createNodeClock(), random: createNodeRandom() })

/** What is wrong with a command line of this program; undefined where it is one that it takes. */
async function faultOf(words: readonly string[]): Promise<string | undefined> {
  try {
    const { word: name, rest } = calledWord(words.filter((word) => word !== ''))
    if (name === undefined) return wizardFault(rest)
    const command = Object.hasOwn(RUN_HERE, name) ? RUN_HERE[name as keyof typeof RUN_HERE] : undefined
    if (command === undefined) return `no such command: ${name}`
    if (command === 'help') return rest.length > 1 ? 'one word too many' : undefined
    if (command === 'read') return void readArguments(rest, commandNamed(name as CommandName))
    const { code, json, words: said } = await runCommandWith(command, [...rest, '--json'], effects)
    if (code !== EXIT.wrongUse) return undefined
    const { error } = json() as unknown as { error: { code: string } }
    return NOTHING_HERE.includes(error.code) ? undefined : said
  } catch (thrown) {
    if (thrown instanceof BaseError) return thrown.shortMessage
    throw thrown
  }
}

function wizardFault(argv: readonly string[]): undefined {
  networkChoice(readArguments(argv, WIZARD).options)
}

const pages = pagesOf()
const shown = shownLines(pages)
const named = namedCommands(pages)

/** A command that a sentence names, with the network that the sentence leaves out. A name alone stays one. */
function meant(words: readonly string[]): readonly string[] {
  const [name = ''] = words
  if (words.length === 1 && Object.hasOwn(RUN_HERE, name)) return ['help', name]
  const command = Object.hasOwn(RUN_HERE, name) ? RUN_HERE[name as keyof typeof RUN_HERE] : undefined
  const isAsked = typeof command === 'function'
  const hasNetwork = words.some((word) => /^--(?:network|devnet|spec|home|example-config)$/.test(word))
  return isAsked && !hasNetwork ? [...words, '--network', 'mainnet'] : words
}

describe('every command of this program on a page', () => {
  test.each(shown.filter(({ line }) => ownOf(line).length > 0))(
    'is one that it takes: $path: $line',
    async ({ line }) => {
      for (const command of ownOf(line)) expect(await faultOf(typed(command))).toBeUndefined()
    },
  )

  test('is one that it takes where a sentence names it', async () => {
    const faults: string[] = []
    for (const { path, line } of named) {
      for (const command of ownOf(line)) {
        const fault = await faultOf(meant(typed(command)))
        if (fault !== undefined) faults.push(`${path}: ${line}: ${fault}`)
      }
    }
    expect(faults).toEqual([])
  })

  test.each([
    ['stauts', /no such command/],
    ['status --netwrok mainnet', /no option --netwrok/],
    ['status --network mainet', /no network of this name/],
    ['--validator 0x12', /--validator/],
    ['devnet --scenario nothing', /scenario/],
    ['rehearse --slot-ms 10', /slot-ms/],
    ['watch --metrics here', /--metrics/],
    ['topup-plan --network mainnet --validator 12 --amount ten', /amount/],
    ['sign --network mainnet --withdrawal 0x12 --operator 0x12 --amount 10000', /address/],
  ])('would be found where it does not: %s', async (line, fault) => {
    expect(await faultOf(line.split(' '))).toMatch(fault)
  })

  test('is found on the pages', () => {
    expect(shown.length).toBeGreaterThan(40)
    expect(named.length).toBeGreaterThan(40)
  })
})

describe('every command line that a page shows', () => {
  const home = mkdtempSync(join(tmpdir(), 'docs-'))
  writeFileSync(join(home, 'bearings'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`, {
    mode: 0o700,
  })
  const env = { HOME: home, PATH: [home, process.env.PATH].join(delimiter) }
  const inShell = (script: string) => promisify(execFile)('/bin/sh', ['-ec', script], { cwd: home, env })
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  test('is one for a shell', () => {
    for (const { line } of shown) execFileSync('/bin/sh', ['-n'], { input: `${line}\n` })
  })

  const has = {
    scripts: Object.keys(manifest.scripts),
    programs: readdirSync(join(ROOT, 'node_modules/.bin')),
  }

  test('names a script or program of this project where it calls npm or npx', () => {
    const spans = pages.flatMap(({ text }) => codeSpansOf(text))
    const lines = [...shown.map(({ line }) => line), ...spans]
    expect(lines.flatMap((line) => npmFaults(line, has))).toEqual([])
    expect(lines.filter((line) => /^np[mx] /.test(line)).length).toBeGreaterThan(20)
  })

  test.each([
    'npm run haard',
    'npm ci && npm run ci',
    'npm strat',
    'npx no-such-program',
    'cd x && npm run nothing -- y',
  ])('would be found where there is none: %s', (line) => {
    expect(npmFaults(line, has)).toHaveLength(1)
  })

  test('stands in a block for a shell, where it is read', () => {
    expect(strayLines(pages)).toEqual([])
    const text = '```\n$ bearings status\n```\n\n```text\nnpm ci\n```\n\n```sh\nbearings keys\n```\n'
    expect(strayLines([{ path: 'x.md', text }]).map(({ line }) => line)).toEqual([
      'bearings status',
      'npm ci',
    ])
  })

  test('is run here, or has its reason not to be', () => {
    const lines = [...new Set(shown.map(({ line }) => line))]
    expect(Object.keys(NOT_RUN).filter((line) => !lines.includes(line))).toEqual([])
    expect(Object.keys(NOT_OURS).filter((name) => !lines.some((line) => programOf(line) === name))).toEqual(
      [],
    )
    expect(lines.filter(isRun).length).toBeGreaterThan(3)
  })

  test('runs as printed, in the order of its page, in an empty home', async () => {
    for (const { path, text } of pages) {
      const lines = shellLinesOf(text).filter(isRun)
      if (lines.length > 0) await expect(inShell(lines.join('\n')), path).resolves.toBeDefined()
    }
  })

  hardTest('runs as printed where it starts or needs a rehearsal network', async () => {
    const lines = shown
      .map(({ line }) => line)
      .filter((line) => NOT_RUN[line] === HARD_RUN || line.includes(ON_NETWORK))
    const serving = lines.filter((line) => line.includes('devnet --'))
    const networks = serving.map((line) =>
      spawn('/bin/sh', ['-c', `exec ${line}`], { cwd: home, env, stdio: ['ignore', 'pipe', 'inherit'] }),
    )
    try {
      await Promise.all(networks.map(({ stdout }) => once(stdout, 'data')))
      for (const line of lines.filter((each) => !serving.includes(each)))
        if (line.startsWith(ANSWERS_NO)) await expect(inShell(line), line).rejects.toMatchObject({ code: 1 })
        else await expect(inShell(line), line).resolves.toBeDefined()
    } finally {
      for (const network of networks) {
        network.kill('SIGTERM')
        await once(network, 'exit')
      }
    }
    expect(lines.length - serving.length).toBeGreaterThan(8)
    expect(networks.length).toBeGreaterThan(0)
  })
})
