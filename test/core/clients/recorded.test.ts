import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { check as checkExecution } from '../../../scripts/vectors/execution.ts'
import { check as checkHttp } from '../../../scripts/vectors/http.ts'

const recorded = (name: string) =>
  readFileSync(new URL(`../../vectors/recorded/${name}.jsonl`, import.meta.url), 'utf8').split('\n')

describe('recorded replies', () => {
  test('of the node API and the engine are read with the right values or fail in the right way', async () => {
    expect(await checkHttp(recorded('http'))).toEqual({ passed: 183, failures: [] })
  })

  test('of the execution client are read with the right values', async () => {
    expect(await checkExecution(recorded('execution'))).toEqual({ passed: 5, failures: [] })
  })

  test('stop to fit when a single balance of the whole state is changed', async () => {
    const changed = recorded('http').map((line) =>
      line.replace('[5000000000000000,25', '[5000000000000001,25'),
    )
    const { failures } = await checkHttp(changed)
    expect(failures).toHaveLength(1)
    expect(failures[0]).toContain('state root')
  })
})
