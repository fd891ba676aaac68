import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { gweiToWei, tokens } from '../../src/core/base/format/amount.ts'
import { encodeTopUp } from '../../src/core/chain/deposit/calldata.ts'
import { type Devnet, startDevnet } from '../../src/devnet/devnet.ts'
import { CTRL_U, calmly, ENTER, goOn, hearKeys } from '../support/by-keyboard.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { HARD } from '../support/hard.ts'
import { networkFileOf } from '../support/network-file-of.ts'
import { emptyState, openWizard } from '../support/open-wizard.ts'
import type { PtyProgram } from '../support/pty.ts'
import { buildCli } from '../support/run-cli.ts'
import { stallingProxy } from '../support/stalling-proxy.ts'
import { userOf } from '../support/user-of.ts'

const SLOT_MS = 500
const CLOCK = {
  nowMs: () => Date.now(),
  sleep: (delayMs: number, signal?: AbortSignal) => setTimeout(delayMs, undefined, { signal }),
}
const PAID = 270_000n
const WORD = `send ${PAID}`

/** How far the same payment by hand has come when the next key is pressed. */
const REACHES = ['a block', 'the set', 'the screen'] as const
type Reach = (typeof REACHES)[number]

/** How many letters of the word stand there before it is paid by hand; before and behind them what is no letter. */
type Moment = 'before it is opened' | number | 'before the password'
const MOMENTS: readonly Moment[] = [
  'before it is opened',
  ...Array.from({ length: WORD.length + 1 }, (_, letters) => letters),
  'before the password',
]

type Case = { moment: Moment; reach: Reach }
/** Under the prompt of a password there is no screen that tells it. */
const CASES: readonly Case[] = MOMENTS.flatMap((moment) =>
  REACHES.flatMap((reach) =>
    moment === 'before the password' && reach === 'the screen' ? [] : [{ moment, reach }],
  ),
)

const OTHER = privateKeyToAccount(`0x${'5b'.repeat(32)}`)
/** Whichever comes first of what its block and the set tell. */
const TOLD = /270,000 (?:BERA )?more arrived|the stake is 280,000|→ 550,000/
const STOPPED = /Nothing was (?:created or )?sent/
const PASSWORD = /Password of the keystore/
const LOOK_MS = 500
const PRESSES = 60
/** A proposal that was made after it; or none, as the stake keeps its place now. */
const ANEW = /type (?:send|risk) (?!270000 )\d+ and|keeps a place in the active set|step 7 of 7/
/** What ends the word of before: a password for it, a stop, or what the chain has made of the proposal meanwhile. */
const ANSWERED = new RegExp(`${PASSWORD.source}|${STOPPED.source}|${ANEW.source}`)

beforeAll(buildCli)

/** A network by the rules of real money, on which the user has a validator with a first deposit. */
async function begin(): Promise<{ devnet: Devnet; networkFile: string; state: string }> {
  const state = await emptyState()
  const seed = expect.getState().currentTestName ?? 'outside of a test'
  const directory = join(state, 'network')
  const devnet = await startDevnet({ directory, slotMs: SLOT_MS, clock: CLOCK, clientClock: CLOCK, seed })
  const stop = new AbortController()
  const running = devnet.run(stop.signal)
  onTestFinished(async () => {
    stop.abort()
    await running
    await devnet.stop()
  })
  const { pubkey, firstDeposit } = await userOf(devnet)
  await firstDeposit(10_000n)
  await expect.poll(() => devnet.state().validators.some((one) => one.pubkey === pubkey)).toBe(true)
  const networkFile = join(state, 'real.json')
  const { kind: _, ...file } = JSON.parse(networkFileOf(devnet.descriptor)) as Record<string, unknown>
  await writeFile(networkFile, JSON.stringify({ ...file, kind: 'real' }))
  return { devnet, networkFile, state }
}

/** Goes from the form to the top-up, and types its amount. */
async function openTopUp(program: PtyProgram, devnet: Devnet): Promise<void> {
  const { descriptor } = devnet
  const { address } = await userOf(devnet)
  const { execution, node } = descriptor.urls
  const { url: second, close } = await stallingProxy(execution)
  onTestFinished(close)
  const fields = [
    ['validator', undefined],
    ['execution RPC', execution],
    ['node API', node],
    ['second execution', second],
    ['engine RPC', undefined],
    ['keystore', descriptor.keystore.path],
  ] as const
  for (const [label, text] of fields) {
    await program.waitFor(new RegExp(`▶ +${label}`), 20000)
    program.press(text === undefined ? ENTER : `${CTRL_U}${text}${ENTER}`)
  }
  await program.waitFor('Enter continue')
  program.press(ENTER)
  await goOn(program, 'Check the chain')
  await program.waitFor(/▶ +withdrawal/)
  program.press(`${CTRL_U}${address}${ENTER}`)
  await goOn(program, 'Adopt a registered validator')
  await goOn(program, 'Prove the registration')
  await program.waitFor('Top up the stake')
  await program.waitFor('Enter review, then send')
  program.press('a')
  await program.waitFor(/▶ +amount/)
  program.press(`${CTRL_U}${PAID}${ENTER}`)
  await program.waitFor(/\+270,000 → 280,000[\s\S]*Enter review, then send/)
}

/** Somebody else pays the same for the key; resolves once that has come as far as `reach`. */
async function payByHand(program: PtyProgram, devnet: Devnet, reach: Reach): Promise<void> {
  const { pubkey, rpc } = await userOf(devnet)
  const { chainId } = devnet.descriptor
  await devnet.execution.rpc('hardhat_setBalance', [OTHER.address, numberToHex(10n ** 24n)])
  const call = {
    to: devnet.chain.input.spec.depositContract,
    value: gweiToWei(tokens(PAID)),
    data: encodeTopUp({ pubkey }),
  }
  const fees = { gas: 500_000n, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n }
  const raw = await OTHER.signTransaction({ type: 'eip1559', chainId, nonce: 0, ...call, ...fees })
  const hash = await rpc('eth_sendRawTransaction', [raw])
  await expect.poll(() => rpc('eth_getTransactionReceipt', [hash])).not.toBeNull()
  if (reach === 'the screen') await program.waitFor(TOLD)
  if (reach === 'the set') await expect.poll(() => stakeOf(devnet, pubkey)).toBe(tokens(10_000n + PAID))
}

function stakeOf(devnet: Devnet, pubkey: string): bigint | undefined {
  const { validators, balancesGwei } = devnet.state()
  return balancesGwei[validators.findIndex((one) => one.pubkey === pubkey)]
}

/** Types the rest of the word and its Enter, unless the screen says that nothing is sent, or proposes another thing. */
async function typeOn(program: PtyProgram, from: number): Promise<void> {
  for (const [at, letter] of [...WORD].entries()) {
    if (at < from) continue
    program.press(letter)
    const typed = WORD.slice(0, at + 1).trimEnd()
    await program.waitFor(new RegExp(`press Enter: +${typed} *$|${ANSWERED.source}`, 'm'))
  }
  // While something is not known Enter waits: who sees that presses it once more.
  await pressUntil(program, ANSWERED)
}

/** Presses Enter until the screen shows it; fails with the screen. */
async function pressUntil(program: PtyProgram, shown: RegExp): Promise<void> {
  for (let press = 0; press < PRESSES; press += 1) {
    await calmly()
    // In this very moment: what came meanwhile is read, not passed over by an Enter that was meant for the frame before.
    if (shown.test(program.screen().join('\n'))) return
    program.press(ENTER)
    await program.waitFor(shown, LOOK_MS).catch(() => undefined)
  }
  await program.waitFor(shown)
}

/** Opens what is proposed, or sees what stands there in its place: an Enter while that is asked for anew opens nothing. */
async function open(program: PtyProgram, instead: RegExp): Promise<void> {
  const shown = new RegExp(`type ${WORD} and|${STOPPED.source}|${instead.source}`)
  await pressUntil(program, shown)
}

/** Whether a password is asked for, or the screen says that nothing is sent. */
async function isAskedFor(program: PtyProgram): Promise<boolean> {
  await program.waitFor(ANSWERED)
  return PASSWORD.test(program.screen().join('\n'))
}

/** Types the password; resolves when the screen says what came of it. */
async function givePassword(program: PtyProgram, devnet: Devnet): Promise<void> {
  program.press(`${devnet.descriptor.keystore.password}${ENTER}`)
  await program.waitFor(new RegExp(`Enter continue|${STOPPED.source}`))
}

/** Reads the top-up, agrees to it, and signs it, while it is paid by hand at one moment; no proposal is opened twice. */
async function payWhile(program: PtyProgram, devnet: Devnet, { moment, reach }: Case): Promise<void> {
  const paidByHand = () => payByHand(program, devnet, reach)
  if (moment === 'before it is opened') await paidByHand()
  await open(program, moment === 'before it is opened' ? ANEW : STOPPED)
  if (!program.screen().join('\n').includes(`type ${WORD} and`)) return
  await hearKeys(program, undefined, STOPPED)
  if (STOPPED.test(program.screen().join('\n'))) return
  const letters = typeof moment === 'number' ? moment : 0
  for (let typed = 1; typed <= letters; typed += 1) {
    program.press(WORD[typed - 1] ?? '')
    await program.waitFor(new RegExp(`press Enter: +${WORD.slice(0, typed).trimEnd()} *$`, 'm'))
  }
  if (typeof moment === 'number') await paidByHand()
  await typeOn(program, letters)
  if (!(await isAskedFor(program))) return
  if (moment === 'before the password') await paidByHand()
  await givePassword(program, devnet)
}

/** The gate behind the password stops it. */
const isAlways = ({ moment, reach }: Case): boolean => moment === 'before the password' && reach === 'a block'

// Each takes ten seconds of a computer that is not busy: most are left to `npm run hard`.
test.each(CASES.filter((one) => HARD || isAlways(one)))(
  'a top-up that is paid by hand ($moment, up to $reach) is not paid once more by the word of before',
  async (each) => {
    const { devnet, networkFile, state } = await begin()
    const { pubkey } = await userOf(devnet)
    const size = { columns: 100, rows: 50 }
    const program = openWizard(state, ['--network', networkFile, '--validator', pubkey], size)
    await openTopUp(program, devnet)
    await payWhile(program, devnet, each)
    const { slot } = devnet.state()
    await expect.poll(() => devnet.state().slot > slot + 4n).toBe(true)
    const paid = [tokens(10_000n), tokens(PAID)]
    expect(await depositsOf(devnet.descriptor.urls.execution, pubkey)).toEqual(paid)
  },
)
