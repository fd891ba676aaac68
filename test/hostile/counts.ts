import type { Reporter, TestCase, TestModule } from 'vitest/node'

const PLACE = 'test/hostile/'

/** A lie by its name, without who is beside it and when it is told. */
function nameOfLie(name: string): string {
  return name.replace(/ \([^()]*\)$/, '')
}

/** What a test is one of, by its file, and what of its name tells it from its settings. */
const KINDS: Readonly<Record<string, { what: string; of: string; ofName: (name: string) => string }>> = {
  'lies-alone.test.ts': { what: 'lies of an endpoint that is alone', of: 'lies', ofName: nameOfLie },
  'lies-beside.test.ts': { what: 'lies beside an honest endpoint', of: 'lies', ofName: nameOfLie },
  'other-hands.test.ts': {
    what: 'payments by other hands',
    of: 'hands',
    ofName: (name) => name.replace(/,.*/, ''),
  },
  'program.test.ts': { what: 'runs of the built program', of: 'settings', ofName: (name) => name },
  'proxy.test.ts': { what: 'lies of the wire, inside and outside', of: 'lies', ofName: (name) => name },
}

/** Counts, at the end of a run, what the hostile tests have tried and how much of it was as stated. */
export function hostileCounts(): Reporter {
  return {
    onTestRunEnd(modules) {
      const lines = modules.flatMap(lineOf)
      if (lines.length > 0) console.log(['', 'Hostile:', ...lines].join('\n'))
    },
  }
}

function lineOf({ moduleId, children }: TestModule): string[] {
  const file = moduleId.split(PLACE).at(-1) ?? ''
  const kind = moduleId.includes(PLACE) ? KINDS[file] : undefined
  if (kind === undefined) return []
  const ran = [...children.allTests()].filter((test) => test.result().state !== 'skipped')
  const asStated = ran.filter(isAsStated).length
  const names = new Set(ran.map(({ name }) => kind.ofName(name)))
  return [`  ${asStated} of ${ran.length} ${kind.what} as stated (${names.size} ${kind.of})`]
}

const isAsStated = (test: TestCase) => test.result().state === 'passed'
