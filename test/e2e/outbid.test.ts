import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect } from 'vitest'
import { FAR_FUTURE_EPOCH } from '../../src/core/chain/consensus/state.ts'
import { ENTER, goOn, typeWord } from '../support/by-keyboard.ts'
import { hardTest } from '../support/hard.ts'
import { pacedClock } from '../support/paced-clock.ts'
import { type PtyProgram, startProgram } from '../support/pty.ts'
import { buildCli, CLI, runCli } from '../support/run-cli.ts'
import { userOf } from '../support/user-of.ts'
import { testDevnet } from '../support/with-devnet.ts'

/** A slot as the program takes it; the chain makes them faster, and slower while a person has something to do. */
const SLOT_MS = 200
const HURRY = 2.5
const WAIT = 0.2

beforeAll(buildCli)

/** The way back to the status of a validator that is registered. */
async function backToStatus(program: PtyProgram): Promise<void> {
  await program.waitFor('Enter go on to confirm')
  program.press(ENTER)
  await goOn(program, 'Prove the registration')
  await goOn(program, 'Top up the stake')
}

// The same is told by journeys/outbid.test.ts, and words are typed by keyboard in wizard.test.ts.
hardTest('a validator that is outbid is called, and one word keeps its place', async () => {
  const clock = pacedClock(HURRY)
  const { devnet, directory, end } = await testDevnet({
    realCurve: true,
    scenario: 'outbid-while-active',
    seed: 'outbid',
    slotMs: SLOT_MS,
    clock,
  })
  const state = await mkdtemp(join(tmpdir(), 'outbid-'))
  const stop = new AbortController()
  const slots = devnet.run(stop.signal)
  const attached = ['--devnet', join(directory, 'descriptor.json'), '--state', state]
  let program: PtyProgram | undefined
  try {
    const { pubkey } = await userOf(devnet)
    const own = () => devnet.state().validators.find((each) => each.pubkey === pubkey)
    const epoch = () => devnet.state().slot / 8n
    const registered = runCli(['rehearse', ...attached]).end
    await expect.poll(() => own() !== undefined && (own()?.activationEpoch ?? 0n) <= epoch()).toBe(true)
    clock.setRate(1)
    expect(await registered).toMatchObject({ code: 0 })
    clock.setRate(WAIT)
    program = startProgram({ args: [CLI, ...attached], cwd: state, env: { HOME: state } })
    await backToStatus(program)
    await program.waitFor(/Your validator (is active|drops out)/)
    clock.setRate(HURRY)
    await program.waitFor('Your validator drops out of the active set at epoch')
    clock.setRate(WAIT)
    const alarm = program.screen().join('\n')
    const rows = [
      'A top-up of 20,000 BERA keeps the place.',
      'Send it by block',
      ' rank ',
      ' node ',
      't top up 20,000',
    ]
    for (const text of rows) expect(alarm).toContain(text)
    const outEpoch = BigInt(
      /Your validator drops out of the active set at epoch (\d+)/.exec(alarm)?.[1] ?? '0',
    )

    program.press('t')
    program.resize({ columns: 100, rows: 40 })
    await program.waitFor('Enter review, then send')
    program.press(ENTER)
    await typeWord(program, 'send 20000')
    await program.waitFor('Enter continue')
    clock.setRate(2 * HURRY)
    program.press(ENTER)
    await program.waitFor('Your validator is active')
    await expect.poll(epoch).toBeGreaterThan(outEpoch)
    expect(own()?.exitEpoch).toBe(FAR_FUTURE_EPOCH)
    expect(program.screen().join('\n')).not.toContain('Your validator drops out of the active set at epoch')
  } finally {
    program?.kill('SIGKILL')
    await program?.exit
    stop.abort()
    await slots
    await end()
    await rm(state, { recursive: true, maxRetries: 5 })
  }
})
