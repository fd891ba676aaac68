import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createNodeFiles } from '../../../../src/core/base/effects/node-files.ts'

const files = createNodeFiles()
let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'node-files-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

test('a file is read whole, up to the largest that may be', async () => {
  for (const length of [0, 1, 1000, 4096]) {
    const path = join(directory, `${length}`)
    writeFileSync(path, 'x'.repeat(length))
    expect(Buffer.from(await files.read(path, { maxBytes: 4096 })).toString()).toBe('x'.repeat(length))
  }
})

test('a larger one is refused', async () => {
  const path = join(directory, 'large')
  writeFileSync(path, 'x'.repeat(4097))
  await expect(files.read(path, { maxBytes: 4096 })).rejects.toMatchObject({ code: 'file.too-large' })
})

test.runIf(process.platform === 'linux')(
  'a file of the system is read whole, though it says to be empty',
  async () => {
    const read = await files.read('/proc/self/status', { maxBytes: 1_000_000 })
    expect(Buffer.from(read).toString()).toMatch(/^Name:.*\nnonvoluntary_ctxt_switches:\t\d+\n$/s)
    await expect(files.read('/proc/self/status', { maxBytes: 100 })).rejects.toMatchObject({
      code: 'file.too-large',
    })
  },
)

test('the mode of a file is its bits, and none on Windows, where they say nothing of other users', async () => {
  const path = join(directory, 'file')
  writeFileSync(path, '', { mode: 0o640 })
  expect(await files.facts(path)).toMatchObject({ mode: 0o640, ownedByUser: true })
  const asOnWindows = `
    process.getuid = undefined
    const { createNodeFiles } = await import('./src/core/base/effects/node-files.ts')
    const { mode = 'none', ownedByUser } = await createNodeFiles().facts(${JSON.stringify(path)})
    process.stdout.write(\`\${mode} \${ownedByUser}\`)
  `
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', asOnWindows], {
    encoding: 'utf8',
  })
  expect(stdout).toBe('none true')
})
