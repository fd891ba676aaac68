import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { engineKey } from '../../../../src/core/chain/identity/engine-key.ts'
import type { Replay, ReplayInput } from '../../../support/replay.ts'
import { recordedTool } from '../../../support/replay-recording.ts'
import { asked, KEYS, rows, situation } from '../../../support/situation.ts'

const recordedOf = (...words: string[]): string =>
  recordedTool.find(({ args }) => words.every((word, at) => args[at] === word))?.stdout ?? ''
const STATUS = recordedOf('status')

/** A key before its first deposit, and a node tool that prints these in the place of its recorded answers. */
const unused = (toolSays: ReplayInput['toolSays'] = {}) => ({ slot: 187, key: KEYS.registered, toolSays })
const RECORDED = 'network, node and the other runs of the node tool'

async function stopped(it: Replay, id: string): Promise<void> {
  await asked(it)
  expect(it.view('identity')).toMatchObject({ done: false, problem: { id, money: 'untouched' } })
  expect(await it.session.dispatch({ step: 'session', type: 'went', to: 'sign' })).toBe(false)
}

describe('the node tool looks at the key, too', () => {
  situation('and names the same', { ...unused(), recorded: RECORDED, madeUp: 'its key' }, async (it) => {
    await asked(it)
    expect(rows(it.view('identity'))).toMatchObject({
      toolKeys: expect.stringMatching(/^proven /),
      toolStatus: 'proven beacond-2061, this key, height 194',
    })
    expect(it.view('identity').done).toBe(true)
  })

  situation(
    'a tool that reads another key stops it',
    {
      ...unused({ 'validator-keys': recordedOf('deposit', 'validator-keys') }),
      key: KEYS.odd,
      recorded: RECORDED,
    },
    async (it) => {
      await stopped(it, 'identity.tool-keys')
      expect(rows(it.view('identity')).toolKeys).toBe('refused another key')
    },
  )

  situation(
    'a status of another node stops it',
    { ...unused({ status: STATUS }), recorded: RECORDED, madeUp: 'the key of the home' },
    async (it) => {
      await stopped(it, 'identity.tool-status')
      expect(rows(it.view('identity')).toolStatus).toBe('refused beacond-2061, another key, height 194')
    },
  )

  const strange = STATUS.replace(/"value":"[^"]+"/, `"value":"${engineKey(KEYS.registered)}"`)
  situation(
    'a status of another network stops it',
    {
      ...unused({ status: strange.replace('beacond-2061', 'bepolia-\u202e80069') }),
      recorded: RECORDED,
      madeUp: 'its network',
    },
    async (it) => {
      await stopped(it, 'identity.tool-status')
      expect(rows(it.view('identity')).toolStatus).toBe('refused bepolia-·80069, this key, height 194')
    },
  )

  situation(
    'a tool that fails leaves its rows unknown and the step open',
    { ...unused({ status: undefined, 'validator-keys': undefined }), recorded: RECORDED },
    async (it) => {
      await asked(it)
      const { toolKeys, toolStatus } = rows(it.view('identity'))
      expect(toolKeys).toMatch(/^unknown .*"deposit validator-keys"/)
      expect(toolStatus).toMatch(/^unknown .*"status"/)
      expect(it.view('identity').done).toBe(true)
    },
  )

  situation(
    'a home that lacks a part is not shown to it',
    {
      ...unused(),
      recorded: RECORDED,
      madeUp: 'a home without the state of its key',
      changeHome: (home) => rmSync(join(home, 'data/priv_validator_state.json')),
    },
    async (it) => {
      await asked(it)
      const { toolKeys, toolStatus } = rows(it.view('identity'))
      expect(toolKeys).toMatch(/^unknown /)
      expect(it.session.getState().identity.observed.toolKeys).toMatchObject({ status: 'failed' })
      expect(toolStatus).toMatch(/^proven/)
    },
  )

  situation(
    'another program of its name is asked nothing and stops nothing',
    { ...unused({ help: 'A lamp\n' }), recorded: RECORDED, madeUp: 'a program called beacond' },
    async (it) => {
      await asked(it)
      const words = 'unasked This beacond is not the node tool: not asked.'
      expect(rows(it.view('genesis')).tool).toBe(words)
      expect(it.view('genesis').done).toBe(true)
      expect(rows(it.view('identity'))).toMatchObject({ toolKeys: words, toolStatus: words })
      expect(it.view('identity').done).toBe(true)
    },
  )
})
