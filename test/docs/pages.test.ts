import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { behaviorsPage } from '../../scripts/docs/behaviors-page.ts'
import { damagedFilesPage } from '../../scripts/docs/damaged-files-page.ts'
import { errorPage } from '../../scripts/docs/error-page.ts'
import { errorSamples } from '../../scripts/docs/error-samples.ts'
import { ALARMS } from '../../src/core/view/alarm-event.ts'
import { anchorsOf, linksOf, pagesOf, ROOT } from '../support/markdown.ts'

const pages = pagesOf()
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** What is wrong with a link of a page; undefined where it leads to something. */
function linkFault(from: string, link: string): string | undefined {
  if (/^https:\/\/[a-z0-9.-]+\.[a-z]+(?:\/\S*)?$/.test(link)) return undefined
  if (/^[a-z]+:/i.test(link)) return 'neither https nor a place in the project'
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? from : join(dirname(from), path).replaceAll('\\', '/')
  if (target.startsWith('..')) return 'outside of the project'
  if (!existsSync(join(ROOT, target))) return 'no such file'
  if (anchor === undefined) return undefined
  return anchorsOf(textOf(target)).has(anchor) ? undefined : 'no such heading'
}

describe('the links of all pages', () => {
  test('lead to a file or a heading of the project, or by https out of it', () => {
    const links = pages.flatMap(({ path, text }) => linksOf(text).map((link) => ({ path, link })))
    const faults = links.flatMap(({ path, link }) => {
      const fault = linkFault(path, link)
      return fault === undefined ? [] : [`${path}: ${link}: ${fault}`]
    })
    expect(links.length).toBeGreaterThan(80)
    expect(faults).toEqual([])
  })

  test.each([
    ['README.md', 'docs/none.md', 'no such file'],
    ['README.md', 'docs/safety.md#none', 'no such heading'],
    ['docs/README.md', '../../x.md', 'outside of the project'],
    ['README.md', 'http://example.org', 'neither https nor a place in the project'],
    ['docs/watch.md', '#alarms', undefined],
    ['docs/README.md', 'errors.md#client.timeout', undefined],
  ])('would be found where they do not: %s to %s', (from, link, fault) => {
    expect(linkFault(from, link)).toBe(fault)
  })

  test('lead to every page of the folder from its index', () => {
    const linked = linksOf(textOf('docs/README.md')).map((link) => link.split('#')[0])
    const inFolder = pages.map(({ path }) => path).filter((path) => path.startsWith('docs/'))
    const missing = inFolder.filter(
      (path) => !['docs/README.md', ...linked.map((to) => `docs/${to}`)].includes(path),
    )
    expect(missing).toEqual([])
  })

  test('show every picture somewhere', () => {
    const shown = pages.flatMap(({ path, text }) => linksOf(text).map((link) => join(dirname(path), link)))
    const pictures = readdirSync(join(ROOT, 'docs/pictures')).map((name) => join('docs/pictures', name))
    expect(pictures.length).toBeGreaterThan(8)
    expect(pictures.filter((picture) => !shown.includes(picture))).toEqual([])
  })
})

test('the page of damaged files is the one that the table makes (npm run docs)', () => {
  expect(textOf('docs/damaged-files.md') === damagedFilesPage()).toBe(true)
})

test('the page of behaviors is the one that the catalogue makes (npm run docs)', () => {
  expect(textOf('docs/behaviors.md') === behaviorsPage()).toBe(true)
})

describe('the page of error codes', () => {
  const page = textOf('docs/errors.md')
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({
      path: path.replaceAll('\\', '/'),
      text: readFileSync(join(ROOT, 'src', path), 'utf8'),
    }))

  test('is the one that the error modules make (npm run docs)', () => {
    expect(page === errorPage()).toBe(true)
  })

  test('has a place of its own for each code', () => {
    const codes = new Set(errorSamples().map(({ code }) => code))
    const places = [...page.matchAll(/^<a id="([^"]+)"><\/a>$/gm)].map(([, id]) => id)
    expect(places).toHaveLength(codes.size)
    expect(new Set(places)).toEqual(codes)
    expect(codes.size).toBeGreaterThan(110)
  })

  test('has every code that a source writes', () => {
    const thrown = /(?:\w+Error|super)\(\s*'([a-z][\w-]*\.[\w.-]+)'/g
    const listed = /^ {2}'([a-z][\w-]*\.[\w.-]+)':/gm
    const written = sources.flatMap(({ path, text }) => [
      ...[...text.matchAll(thrown)].map(([, code = '']) => code),
      ...(path.startsWith('core/base/errors/')
        ? [...text.matchAll(listed)].map(([, code = '']) => code)
        : []),
    ])
    const codes = new Set(errorSamples().map(({ code }) => code))
    expect(written.length).toBeGreaterThan(200)
    expect(written.filter((code) => !codes.has(code))).toEqual([])
  })

  test('can have them all: no error has a code of its own outside of the error modules', () => {
    const makes = /new BaseError\(|extends BaseError\b/
    const outside = sources.filter(
      ({ path, text }) => !path.startsWith('core/base/errors/') && makes.test(text),
    )
    expect(outside.map(({ path }) => path)).toEqual([])
  })
})

describe('the glossary', () => {
  const terms = [...textOf('docs/glossary.md').matchAll(/^\| \*\*(.+?)\*\* \|/gm)].map(([, term = '']) =>
    term.toLowerCase(),
  )

  test.each([
    'keystore',
    'node home',
    'checksum',
    'fee recipient',
    'anchor',
    'dry run',
    'gas',
    'receipt',
    'descriptor',
  ])('tells what this is, which the screens and pages say: %s', (term) => {
    expect(terms).toContain(term)
  })

  test('is in the order of the alphabet', () => {
    expect(terms).toEqual(terms.toSorted())
  })
})

/** What is wrong with the numbers of sources in a page, and with its table of them. */
function sourceFaults(page: string): string[] {
  const [text = '', table = ''] = page.split('\n## Sources\n')
  const rows = [...table.matchAll(/^\| (\d+) \| (.+) \| (.+) \|$/gm)]
  const named = new Set([...text.matchAll(/\[(\d+)\]\(#sources\)/g)].map(([, number = '']) => number))
  const listed = rows.map(([, number = '']) => number)
  return [
    ...[...named].filter((number) => !listed.includes(number)).map((number) => `${number}: no such source`),
    ...listed.filter((number) => !named.has(number)).map((number) => `${number}: named nowhere`),
    ...rows.flatMap(([, number = '', where = '', date = '']) => [
      ...(/^https:\/\/[a-z0-9.-]+\/\S+/.test(where) ? [] : [`${number}: no public address`]),
      ...(/^(?:\d{4}-\d\d-\d\d(?:, |$))+|^version \d/.test(date) ? [] : [`${number}: no date`]),
    ]),
  ]
}

describe('the pages on the watch', () => {
  const alarms = ALARMS.filter((alarm) => alarm !== 'test')

  test('have each alarm, with when it fires and when it is over', () => {
    const [, table = ''] = textOf('docs/watch.md').split('## Alarms')
    const rows = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `([a-z-]+)` \|/gm)].map(
      ([, alarm]) => alarm,
    )
    expect(new Set(rows)).toEqual(new Set(alarms))
  })

  test('name each alarm among the fields of what a channel is given', () => {
    const row = /^\| `alarm` \| (.*); `test` of/m.exec(textOf('docs/notifications.md'))?.[1] ?? ''
    expect(new Set([...row.matchAll(/`([a-z-]+)`/g)].map(([, alarm]) => alarm))).toEqual(new Set(alarms))
  })

  test('say what to do at each alarm of a guard, on the page of the guard', () => {
    const [, part] = textOf('docs/guard.md').split('\n## Alarms\n')
    const rows = [...(part?.split('\n## ')[0] ?? '').matchAll(/^\| `([a-z-]+)` \| \S/gm)].map(
      ([, alarm]) => alarm,
    )
    expect(new Set(rows)).toEqual(new Set(alarms.filter((alarm) => alarm.startsWith('guard-'))))
  })

  test('have none that nothing fires', () => {
    // Which of them are damped stands apart from what fires them.
    const sources = readdirSync(join(ROOT, 'src/watch')).filter((name) => /(?<!incident)\.ts$/.test(name))
    const findings = sources.map((name) => textOf(`src/watch/${name}`)).join('')
    expect(alarms.filter((alarm) => !findings.includes(`'${alarm}'`))).toEqual([])
  })
})

describe('the page on mainnet', () => {
  const page = textOf('docs/mainnet.md')

  test('has for each number a public source with its date', () => {
    expect(sourceFaults(page)).toEqual([])
    expect([...page.matchAll(/\]\(#sources\)/g)].length).toBeGreaterThan(20)
  })

  test.each([
    [
      'a [2](#sources)\n## Sources\n| 1 | https://a.org/b | 2026-01-02 |',
      ['2: no such source', '1: named nowhere'],
    ],
    ['a [1](#sources)\n## Sources\n| 1 | a friend | 2026-01-02 |', ['1: no public address']],
    ['a [1](#sources)\n## Sources\n| 1 | https://a.org/b | lately |', ['1: no date']],
  ])('would be wrong with another one: %j', (wrong, faults) => {
    expect(sourceFaults(wrong)).toEqual(faults)
  })
})

describe('the forms for issues', () => {
  const folder = '.github/ISSUE_TEMPLATE'
  const forms = readdirSync(join(ROOT, folder)).filter((name) => name !== 'config.yml')

  test.each(forms)('are such as GitHub takes: %s', (name) => {
    const form = parse(textOf(`${folder}/${name}`))
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) })
    const fields: { type: string; id?: string; attributes: { label?: string; value?: string } }[] = form.body
    for (const { type, id, attributes } of fields) {
      expect(['markdown', 'input', 'textarea', 'dropdown']).toContain(type)
      if (type === 'markdown') expect(attributes.value).toEqual(expect.any(String))
      else
        expect({ id, label: attributes.label }).toEqual({ id: expect.any(String), label: expect.any(String) })
    }
    const ids = fields.flatMap(({ id }) => id ?? [])
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('lead a hole to where it is told in private', () => {
    const { contact_links: links } = parse(textOf(`${folder}/config.yml`))
    expect(links).toHaveLength(1)
    expect(textOf('SECURITY.md')).toContain('private vulnerability reporting')
  })
})

describe('the page on safety', () => {
  const page = textOf('docs/safety.md')
  const claims = page.split('\n').filter((line) => line.startsWith('- '))
  const named = [...page.matchAll(/`(test\/[\w./-]+\.test\.tsx?)`: "([^"]+)"/g)].map(
    ([, file = '', name = '']) => ({ file, name }),
  )

  test('names for each claim a test that holds it', () => {
    const blocks = page.split(/\n(?=- |## |$)/).filter((block) => block.startsWith('- '))
    expect(claims.length).toBeGreaterThan(30)
    expect(blocks.filter((block) => !/`test\/[^`]+`: "/.test(block))).toEqual([])
  })

  test.each(named)('names a test that there is: $file: $name', ({ file, name }) => {
    expect(hasTest(textOf(file), name)).toBe(true)
  })

  test('would be wrong with a name that no test has', () => {
    expect(hasTest("hardTest.each([])(\n  'two %s',\n  () => 1)", 'two %s')).toBe(true)
    expect(hasTest("describe('one', () => {", 'one')).toBe(false)
    expect(hasTest("test('one more', () => 1)", 'one')).toBe(false)
  })
})

/** Whether a source has a test of this name, as it is written there; a group of tests is none. */
function hasTest(source: string, name: string): boolean {
  const text = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<!describe(?:\\.\\w+)?)\\(\\s*(['"])${text}\\1,`).test(source.replaceAll("\\'", "'"))
}
