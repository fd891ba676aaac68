import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { doctor } from '../../src/commands/doctor.ts'
import { report } from '../../src/commands/support-report.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { answering } from '../support/answering.ts'
import { lookingWorld } from '../support/looking-world.ts'
import { networkFileOf } from '../support/network-file-of.ts'
import { runCommandWith } from '../support/run-command.ts'

const { devnet, effects } = lookingWorld()

describe('a report with a network', () => {
  const onDevnet = () => ['--devnet', JSON.stringify(devnet().descriptor)]
  const reported = async (beside: Effects, named = onDevnet()) => {
    const { json } = await runCommandWith(report, [...named, '--json'], beside)
    return json() as unknown as {
      network: string
      endpoints: unknown[]
      checks: { step: string; check: string; level: string }[]
    }
  }

  test('names every row of doctor', async () => {
    const { json } = await runCommandWith(
      doctor,
      ['--devnet', JSON.stringify(devnet().descriptor), '--json'],
      effects(),
    )
    const { checks } = await reported(effects())
    expect(checks.map(({ check, level }) => [check, level])).toEqual(
      json().rows.map(({ id, mark }) => [id, mark]),
    )
    expect(checks.length).toBeGreaterThan(25)
  })

  test('names clients that it knows by name and version, and no other one', async () => {
    const saying = (version: string) =>
      answering(effects(), ({ method }) =>
        method === 'web3_clientVersion' ? Promise.resolve(version) : undefined,
      )
    const softwareOf = async (text: string) => (await reported(saying(text))).endpoints[0]
    const found = { role: 'execution', fault: null }
    const geth = { client: 'geth', version: '1.17.4' }
    expect(await softwareOf('Geth/v1.17.4-stable/linux-amd64')).toMatchObject({ ...found, ...geth })
    const other = { client: 'other', version: 'other' }
    expect(await softwareOf('ann-node/10.1.2.3')).toMatchObject({ ...found, ...other })
  })
})

test('a report calls a network by the file of another one own-file, whatever stands in it', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'report-'))
  try {
    const [file, state] = [join(directory, 'ann.json'), join(directory, 'state')]
    const described = JSON.parse(networkFileOf(devnet().descriptor)) as object
    writeFileSync(file, JSON.stringify({ ...described, id: 'ann-network', label: 'The network of Ann' }))
    const { out, json } = await runCommandWith(
      report,
      ['--network', file, '--state', state, '--json'],
      effects(),
    )
    expect(json()).toMatchObject({ network: 'own-file', fault: null })
    expect(out).not.toMatch(/ann/i)
  } finally {
    rmSync(directory, { recursive: true })
  }
})
