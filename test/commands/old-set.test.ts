import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROWS_TEXT } from '../../src/commands/rows-text.ts'
import { status } from '../../src/commands/status.ts'
import { topUpPlanCommand } from '../../src/commands/topup-plan.ts'
import { createNodeEffects } from '../../src/core/base/effects/node.ts'
import { createNodeClock } from '../../src/core/base/effects/node-clock.ts'
import { createNodeSigner } from '../../src/core/base/effects/node-signer.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import { pattern } from '../support/pattern.ts'
import { recorded, recordedNetwork } from '../support/recorded-network.ts'
import { runCommandWith } from '../support/run-command.ts'

let devnet: Devnet
let directory: string
let end: () => Promise<void>

beforeAll(async () => {
  const network = await recordedNetwork()
  devnet = network.devnet
  end = network.end
  directory = await mkdtemp(join(tmpdir(), 'old-set-'))
  await writeFile(join(directory, 'genesis.json'), recorded('genesis.json'))
  await writeFile(join(directory, 'spec.toml'), recorded('spec.toml'))
  for (let slot = 0; slot < 4; slot += 1) await network.advance()
})
afterAll(async () => {
  await end()
  await rm(directory, { recursive: true })
})

/** A command of a network by its files, whose newest block is so many seconds old by the clock of this computer. */
async function lookAfter(seconds: number, command: typeof status, ...more: string[]) {
  const clock = createNodeClock()
  const latest = (await devnet.execution.rpc('eth_getBlockByNumber', ['latest', false])) as {
    timestamp: string
  }
  const startMs = Number(latest.timestamp) * 1000 + seconds * 1000
  const beganMs = clock.monotonicMs()
  const effects = {
    ...createNodeEffects({ signer: createNodeSigner({ signerPath: '/nowhere' }) }),
    clock: { ...clock, nowMs: () => startMs + clock.monotonicMs() - beganMs },
  }
  const { execution, node, engine } = devnet.descriptor.urls
  const files = ['--spec', join(directory, 'spec.toml'), '--genesis', join(directory, 'genesis.json')]
  const asked = ['--execution', execution, '--node', node, '--engine', engine]
  const found = await runCommandWith(
    command,
    [...files, ...asked, '--state', directory, '--validator', '0', ...more],
    effects,
  )
  return found
}

test.each([
  ['status', status],
  ['topup-plan', topUpPlanCommand],
])('%s calls a set of minutes ago not certain, though every endpoint answers', async (_name, command) => {
  const now = await lookAfter(1, command)
  expect(now.out).not.toContain(ROWS_TEXT.age)
  const later = await lookAfter(200, command)
  expect(later.code).toBe(3)
  expect(later.out).toMatch(pattern`\?\? +${ROWS_TEXT.age}\s+3 min 2\d s: `)
  expect(later.out).toMatch(pattern`\?\? .*"${ROWS_TEXT.age}"\.\s*$`)
})
