import { copyFile, link, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { STATUS_FACTS_TEXT } from '../../src/core/steps/status/facts.ts'
import { STATUS_TEXT } from '../../src/core/steps/status/text.ts'
import { known } from '../../src/core/view/observation.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { keyJson } from '../../src/devnet/home.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { faultCode } from '../support/fault-code.ts'
import { hardTest } from '../support/hard.ts'
import { press } from '../support/press.ts'
import { journey } from '../support/register.ts'
import { standing } from '../support/standing.ts'
import { until } from '../support/two-machines.ts'

const checklist = (session: Session) => {
  const { facts, verdict } = viewOf('status', session.getState(), session)
  return {
    verdict: verdict?.text,
    ...Object.fromEntries(facts.map(({ id, mark, value }) => [id, `${mark} ${value}`])),
  }
}

const { fees: FEES, monitoring, metadata } = STATUS_TEXT.checklist
const NOT_FROM_HERE = {
  monitoring: `unknown ${monitoring.value}`,
  metadata: `unknown ${metadata.value}`,
}
const verdictOf = (rows: { proven: number; refused: number }) =>
  STATUS_TEXT.checklist.verdict({ rows: 5, asking: 0, ...rows })
const backupIs = (holds: 'this-key' | 'own' | Hex) => STATUS_FACTS_TEXT.checklist.keyBackup.say({ holds })

test('an active validator has a list of what is to be seen to, each thing checked where it can be', () =>
  journey({ freshSigner: true }, async ({ world, session }) => {
    const { home, operator, seed } = world.devnet.descriptor
    await press(session, 'status', 'l')
    await world.clock.flow(() =>
      until(
        session,
        ({ status }) => known(status.observed.paid) !== undefined && status.observed.home.status === 'known',
      ),
    )
    const slot = known(session.getState().status.observed.paid)?.slot
    expect(checklist(session)).toEqual({
      verdict: verdictOf({ proven: 2, refused: 0 }),
      fees: `proven ${FEES.same(slot ?? 0n)}`,
      keyBackup: `unknown ${STATUS_FACTS_TEXT.checklist.keyBackup.unasked()}`,
      exposure: expect.stringMatching(/^proven /),
      ...NOT_FROM_HERE,
    })

    const fees = viewOf('status', session.getState(), session).facts.find(({ id }) => id === 'fees')
    expect(fees?.long).toBe(getAddress(fees?.long ?? ''))

    const key = join(home, 'config/priv_validator_key.json')
    const at = (name: string) => join(world.directory, name)
    await copyFile(key, at('copy.json'))
    await link(key, at('link.json'))
    const other = validatorKey(seed, 'other')
    await writeFile(at('other.json'), keyJson(other), { mode: 0o600 })
    const named = async (path: string) => {
      await session.dispatch({ step: 'status', type: 'backupNamed', text: path })
      await until(session, ({ status }) => ['known', 'failed'].includes(status.observed.backup.status))
      return checklist(session)
    }
    expect(await named(at('copy.json'))).toMatchObject({
      verdict: verdictOf({ proven: 3, refused: 0 }),
      keyBackup: `proven ${backupIs('this-key')}`,
    })
    const own = `refused ${backupIs('own')}`
    expect(await named(key)).toMatchObject({ keyBackup: own })
    expect(await named(at('link.json'))).toMatchObject({ keyBackup: own })
    expect(await named(at('other.json'))).toMatchObject({
      verdict: verdictOf({ proven: 2, refused: 1 }),
      keyBackup: `refused ${backupIs('0x')}`,
    })
    expect(await named(at('none.json'))).toMatchObject({
      keyBackup: expect.stringMatching(/^unknown /),
    })
    expect(faultCode(session.getState().status.observed.backup)).toBe('signer.unsafe-file')

    const appToml = join(home, 'config/app.toml')
    const text = await readFile(appToml, 'utf8')
    await writeFile(
      appToml,
      text.replaceAll(operator, `0x${'0'.repeat(40)}`).replace('"127.0.0.1:', '"0.0.0.0:'),
    )
    await press(session, 'status', 'r')
    await until(session, ({ status }) => known(status.observed.home)?.findings.length === 2)
    const exposed = () =>
      known(session.getState().status.observed.home)?.findings.find(({ id }) => id === 'node-api-exposed')
        ?.text ?? ''
    expect(checklist(session)).toMatchObject({
      verdict: verdictOf({ proven: 0, refused: 2 }),
      fees: `refused ${STATUS_TEXT.checklist.fees.zero}`,
      exposure: `refused ${exposed()}`,
    })
    await press(session, 'status', 'escape')
    const { notes } = viewOf('status', session.getState(), session)
    expect(standing(session).is).toBe('active')
    expect(notes.slice(0, 2)).toEqual([
      STATUS_TEXT.checklist.note(FEES.label, FEES.zero),
      STATUS_TEXT.checklist.note(STATUS_FACTS_TEXT.checklist.exposure.label, exposed()),
    ])
  }))

hardTest('the commands that set up alarms are with the list: a configuration, a test, the watch', () =>
  journey({}, async ({ session }) => {
    await press(session, 'status', 'l')
    const path = join(session.setup.journalDirectory, 'watch.toml')
    const { commands, actions, fields } = viewOf('status', session.getState(), session)
    expect(commands.slice(0, 3)).toEqual([
      `bearings watch --example-config > ${path} && chmod 600 ${path}`,
      `bearings watch --config ${path} --test-alarm`,
      expect.stringMatching(`^bearings watch ${session.facts().identity?.pubkey} --config ${path}`),
    ])
    expect(fields.map(({ id }) => id)).toEqual(['backup'])
    expect(actions.map(({ key }) => key)).not.toContain('a')
  }),
)
