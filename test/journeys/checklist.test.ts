import { copyFile, link, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { known } from '../../src/core/view/observation.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { keyJson } from '../../src/devnet/home-files.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { press } from '../support/press.ts'
import { journey } from '../support/register.ts'
import { until } from '../support/two-machines.ts'

const checklist = (session: Session) => {
  const { facts, verdict } = viewOf('status', session.getState(), session)
  return {
    verdict: verdict?.text,
    ...Object.fromEntries(facts.map(({ id, mark, value }) => [id, `${mark} ${value}`])),
  }
}

const NOT_FROM_HERE = {
  monitoring: 'unknown not seen from here: c has the commands',
  metadata: 'unknown cannot be checked here',
}

test('an active validator has a list of what is to be seen to, each thing checked where it can be', () =>
  journey({ freshSigner: true }, async ({ world, session }) => {
    const { home, operator, seed } = world.devnet.descriptor
    await press(session, 'status', 'l')
    await world.clock.flow(() =>
      until(
        session,
        ({ status }) => known(status.seen.paid) !== undefined && status.seen.home.status === 'known',
      ),
    )
    const slot = known(session.getState().status.seen.paid)?.slot
    expect(checklist(session)).toEqual({
      verdict: '2 of 5 hold, 3 not known: what was not checked does not count as good.',
      fees: `proven as in app.toml and block ${slot}`,
      keyBackup: 'unknown not checked: press b',
      exposure: 'proven open to this computer only',
      ...NOT_FROM_HERE,
    })

    const fees = viewOf('status', session.getState(), session).facts.find(({ id }) => id === 'fees')
    expect(fees?.long).toBe(getAddress(fees?.long ?? ''))

    const key = join(home, 'config/priv_validator_key.json')
    const at = (name: string) => join(world.directory, name)
    await copyFile(key, at('copy.json'))
    await link(key, at('link.json'))
    const other = { key: validatorKey(seed, 'other'), keyTypePrefix: 'cometbft' }
    await writeFile(at('other.json'), keyJson(other as Parameters<typeof keyJson>[0]), { mode: 0o600 })
    const named = async (path: string) => {
      await session.dispatch({ step: 'status', type: 'backupNamed', text: path })
      await until(session, ({ status }) => ['known', 'failed'].includes(status.seen.backup.status))
      return checklist(session)
    }
    expect(await named(at('copy.json'))).toMatchObject({
      verdict: '3 of 5 hold, 2 not known: what was not checked does not count as good.',
      keyBackup: 'proven the file holds this key',
    })
    const own = 'refused this is the file that the node uses'
    expect(await named(key)).toMatchObject({ keyBackup: own })
    expect(await named(at('link.json'))).toMatchObject({ keyBackup: own })
    expect(await named(at('other.json'))).toMatchObject({
      verdict: '2 of 5 hold, 1 refuses, 2 not known: what was not checked does not count as good.',
      keyBackup: 'refused the file holds another key',
    })
    expect(await named(at('none.json'))).toMatchObject({
      keyBackup: 'unknown A secret file cannot be read safely.',
    })

    const appToml = join(home, 'config/app.toml')
    const text = await readFile(appToml, 'utf8')
    await writeFile(
      appToml,
      text.replaceAll(operator, `0x${'0'.repeat(40)}`).replace('"127.0.0.1:', '"0.0.0.0:'),
    )
    await press(session, 'status', 'r')
    await until(session, ({ status }) => known(status.seen.home)?.findings.length === 2)
    expect(checklist(session)).toMatchObject({
      verdict: '0 of 5 hold, 2 refuse, 3 not known: what was not checked does not count as good.',
      fees: 'refused zero in app.toml: the fees of every block are burnt',
      exposure: 'refused The node API is open to other computers; it asks nobody who they are.',
    })
    await press(session, 'status', 'escape')
    const { title, notes } = viewOf('status', session.getState(), session)
    expect(title).toMatch(/^Your validator is active/)
    expect(notes.slice(0, 2)).toEqual([
      'fee recipient: zero in app.toml: the fees of every block are burnt (l shows it)',
      'exposure: The node API is open to other computers; it asks nobody who they are. (l shows it)',
    ])
  }))

test('the commands that set up alarms are with the list: a configuration, a test, the watch', () =>
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
  }))
