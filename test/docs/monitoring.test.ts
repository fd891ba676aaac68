import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readArguments } from '../../src/commands/read-arguments.ts'
import { commandNamed } from '../../src/commands/table.ts'
import { openMetricsServer } from '../../src/compose/metrics-server.ts'
import { VALIDATOR_STATUSES } from '../../src/core/chain/consensus/state.ts'
import { EVENT_FIELDS } from '../../src/core/view/alarm-event.ts'
import { EXIT } from '../../src/output/io.ts'
import { OLDEST_NODE } from '../../src/packaged-node.js'
import { METRICS } from '../../src/watch/metrics.ts'
import { linksOf } from '../support/markdown.ts'
import { everySample } from '../support/pictures.ts'
import { type Query, readQuery } from '../support/promql.ts'

const FOLDER = join(import.meta.dirname, '../../docs/monitoring')
const textOf = (name: string): string => readFileSync(join(FOLDER, name), 'utf8')

/** What Prometheus itself adds to everything that it reads. */
const TARGET_LABELS = ['job', 'instance']

/** The labels that the samples of a metric have. */
const LABELS: ReadonlyMap<string, readonly string[]> = new Map([
  ['up', TARGET_LABELS],
  ...[...Map.groupBy(everySample(), ({ metric }) => metric)].map(
    ([metric, samples]) =>
      [metric, [...new Set(samples.flatMap(({ labels }) => Object.keys(labels)))]] as const,
  ),
])
const labelsOf = (metric: string): readonly string[] => [...(LABELS.get(metric) ?? []), ...TARGET_LABELS]

/** What a query asks for that is not there: a fault of grammar, a metric or a label that no sample has. */
function faultsOf({ faults, selectors, grouping }: Query): string[] {
  const all = selectors.flatMap(({ metric }) => labelsOf(metric))
  return [
    ...faults,
    ...selectors.map(({ metric }) => metric).filter((metric) => !LABELS.has(metric)),
    ...selectors.flatMap(({ metric, matchers }) =>
      matchers.map(({ label }) => label).filter((label) => !labelsOf(metric).includes(label)),
    ),
    ...grouping.map(({ label }) => label).filter((label) => !all.includes(label)),
  ]
}

/** The labels of what a query answers: those of its first metric, as far as they are not aggregated away. */
function answeredBy({ selectors, grouping, functions }: Query): readonly string[] {
  const [first] = selectors
  if (first === undefined) return []
  if (functions.includes('absent'))
    return first.matchers.filter(({ op }) => op === '=').map(({ label }) => label)
  const kept = grouping.filter(({ by }) => by === 'by').map(({ label }) => label)
  if (kept.length > 0) return kept
  const gone = grouping.filter(({ by }) => by === 'without').map(({ label }) => label)
  return labelsOf(first.metric).filter((label) => !gone.includes(label))
}

/** Whether the options of a command line are options of the watch, and its address can be listened at. */
function isTaken(argv: readonly string[]): boolean {
  try {
    readArguments(argv, commandNamed('watch'))
    return true
  } catch {
    return false
  }
}

describe('the page on monitoring', () => {
  const page = textOf('README.md')

  test('has a row for every metric, with its type, its labels and its help', () => {
    const rows = [...page.matchAll(/^\| `(bearings_\w+)` \| (\w+) \| ([^|]+) \| (.+) \|$/gm)]
    const expected = Object.entries(METRICS).map(([name, { type, help }]) => {
      const labels = (LABELS.get(name) ?? []).map((label) => `\`${label}\``)
      return [name, type, labels.join(' '), help]
    })
    expect(rows.map(([, ...cells]) => cells)).toEqual(expected)
  })

  test('explains every label', () => {
    const explained = [...page.matchAll(/^\| `(\w+)` \| (?!gauge|counter)/gm)].map(([, label]) => label)
    const used = Object.keys(METRICS).flatMap((metric) => LABELS.get(metric) ?? [])
    expect(explained).toEqual(expect.arrayContaining([...new Set(used)]))
  })

  test('names every file beside it', () => {
    const links = linksOf(page)
    const files = readdirSync(FOLDER).filter((name) => name !== 'README.md')
    expect(files.filter((name) => !links.includes(name))).toEqual([])
  })
})

describe('the configuration of Prometheus', () => {
  test('reads the watch of this computer, and the rules', () => {
    const config = parse(textOf('prometheus.yml'))
    expect(config.rule_files).toEqual(['alerts.yml'])
    expect(config.scrape_configs).toEqual([
      { job_name: 'bearings', metrics_path: '/metrics', static_configs: [{ targets: ['127.0.0.1:9478'] }] },
    ])
  })
})

describe('a query', () => {
  test.each([
    'rate(bearings_validator_blocks_signed_total[5m]',
    'bearings_endpoint_up ==',
    'bearings_endpoint_up{role="node"',
    'max without role (bearings_endpoint_up)',
    'bearings_ranks',
    'bearings_endpoint_up{rule="node"}',
    'max by (alarm) (bearings_endpoint_up)',
  ])('that is wrong is found: %s', (text) => {
    expect(faultsOf(readQuery(text))).not.toEqual([])
  })
})

/** What a matcher of a label may be compared with, where there is a list of it. */
const KNOWN: Readonly<Record<string, (value: string) => boolean>> = {
  alarm: (value) => value.split('|').every((each) => takes(EVENT_FIELDS.alarm, each)),
  severity: (value) => value.split('|').every((each) => takes(EVENT_FIELDS.severity, each)),
  status: (value) => VALIDATOR_STATUSES.some((status) => new RegExp(`^(?:${value})$`).test(status)),
  job: (value) => value === 'bearings',
}

function takes(decode: (value: unknown, path: string) => unknown, value: string): boolean {
  try {
    return decode(value, '') === value
  } catch {
    return false
  }
}

const wrongValues = ({ selectors }: Query): string[] =>
  selectors
    .flatMap(({ matchers }) => matchers)
    .filter(({ label, value }) => KNOWN[label]?.(value) === false)
    .map(({ label, value }) => `${label} ${value}`)

describe('the alerting rules', () => {
  type Rule = {
    alert: string
    expr: string
    for: string
    labels: { severity: string }
    annotations: { summary: string; description: string }
  }
  const groups: { name: string; rules: Rule[] }[] = parse(textOf('alerts.yml')).groups
  const rules = groups.flatMap((group) => group.rules)

  test('each have a name of their own, a time, a severity and two texts', () => {
    expect(new Set(groups.map(({ name }) => name)).size).toBe(groups.length)
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    for (const rule of rules) {
      expect(Object.keys(rule)).toEqual(['alert', 'expr', 'for', 'labels', 'annotations'])
      expect(rule).toMatchObject({
        alert: expect.stringMatching(/^Bearings[A-Z][A-Za-z]+$/),
        for: expect.stringMatching(/^\d+[sm]$/),
        labels: { severity: expect.stringMatching(/^(?:critical|warning)$/) },
        annotations: { summary: expect.any(String), description: expect.any(String) },
      })
    }
  })

  test.each(rules)('ask for what there is ($alert)', ({ expr, annotations }) => {
    const query = readQuery(expr)
    expect(faultsOf(query)).toEqual([])
    expect(wrongValues(query)).toEqual([])
    for (const text of [annotations.summary, annotations.description]) {
      expect(text.replace(TEMPLATE, '')).not.toMatch(/[{}]/)
      const used = [...text.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label)
      expect(used.filter((label = '') => !answeredBy(query).includes(label))).toEqual([])
      expect(text.match(/\{\{ with /g)?.length).toBe(text.match(/\{\{ end \}\}/g)?.length)
    }
  })

  test('tell of everything that has to be told', () => {
    const critical = rules.filter(({ labels }) => labels.severity === 'critical').map(({ expr }) => expr)
    for (const part of ['up{job="bearings"} == 0', 'absent(up', 'alarm="drops-out"', 'severity="critical"'])
      expect(critical.filter((expr) => expr.includes(part))).toHaveLength(1)
  })

  test('leave out of the rules for all what has a rule of its own, and nothing else', () => {
    /** What the rule for an alarm asks for, where that is not the alarm. */
    const BY_METRIC: Readonly<Record<string, string>> = {
      'endpoints-silent': '(bearings_endpoint_up) == 0',
      'node-alone': 'bearings_node_peers{',
      'clock-off': 'bearings_clock_ahead_seconds >',
    }
    const left = rules.flatMap(({ expr, labels }) =>
      readQuery(expr)
        .selectors.flatMap(({ matchers }) => matchers)
        .filter(({ label, op }) => label === 'alarm' && op.startsWith('!'))
        .flatMap(({ value }) => value.split('|').map((alarm) => ({ alarm, severity: labels.severity }))),
    )
    expect(left.map(({ alarm }) => alarm).toSorted()).toEqual([
      'clock-off',
      'drops-out',
      'endpoints-silent',
      'fork-unknown',
      'node-alone',
      'operator-change',
    ])
    for (const { alarm, severity } of left) {
      const own = rules.filter(({ expr }) => expr.includes(BY_METRIC[alarm] ?? `alarm="${alarm}"`))
      expect(own.map(({ labels }) => labels.severity)).toEqual([severity])
    }
  })

  /** The forms of a template that are used, all of which Prometheus knows. */
  const TEMPLATE =
    /\{\{ (?:\$labels\.\w+|or \$labels\.\w+ \$labels\.\w+|printf "%\.0f" \$value|with \$labels\.\w+|\.|end) \}\}/g
})

describe('the dashboard of Grafana', () => {
  type Target = { expr: string; legendFormat: string; datasource: unknown }
  type Grid = { x: number; y: number; w: number; h: number }
  type Panel = { id: number; type: string; title: string; gridPos: Grid; targets?: Target[] }
  const dashboard = JSON.parse(textOf('grafana.json'))
  const panels: Panel[] = dashboard.panels
  const targets = panels.flatMap((panel) => panel.targets ?? [])
  const variables: { name: string; type: string; query: { query: string } }[] = dashboard.templating.list

  /** A query with values in the place of its variables. Throws for one that is not declared. */
  const filled = (text: string) =>
    text.replace(/\$(?:\{(\w+)\}|(\w+))/g, (all, braced: string | undefined, plain: string | undefined) => {
      const name = braced ?? plain
      if (name === '__rate_interval') return '1m'
      if (variables.some((variable) => variable.name === name)) return '(a|b)'
      throw new Error(`no such variable: ${all}`)
    })

  test('has a schema, a data source that is chosen, and variables for network and validator', () => {
    expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(36)
    expect(variables.map(({ name, type }) => [name, type])).toEqual([
      ['DS_PROMETHEUS', 'datasource'],
      ['network', 'query'],
      ['validator', 'query'],
    ])
    const sources = [...targets, ...panels.filter(({ type }) => type !== 'row')] as { datasource: unknown }[]
    for (const { datasource } of sources)
      expect(datasource).toEqual({ type: 'prometheus', uid: `\${${variables[0]?.name}}` })
  })

  test('has panels with ids of their own, none over another or beyond the edge', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    expect(panels.filter(({ gridPos: { x, y, w, h } }) => x < 0 || y < 0 || x + w > 24 || h < 1)).toEqual([])
    const over = (a: Grid, b: Grid) =>
      a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
    const pairs = panels.flatMap((one, at) => panels.slice(at + 1).map((other) => [one, other] as const))
    expect(pairs.filter(([one, other]) => over(one.gridPos, other.gridPos))).toEqual([])
    expect(over({ x: 0, y: 0, w: 6, h: 4 }, { x: 5, y: 3, w: 6, h: 4 })).toBe(true)
  })

  test.each(targets)('asks for what there is ($expr)', ({ expr, legendFormat }) => {
    const query = readQuery(filled(expr))
    expect(faultsOf(query)).toEqual([])
    expect(wrongValues(query)).toEqual([])
    const used = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
    expect(used.filter((label) => !answeredBy(query).includes(label))).toEqual([])
  })

  test('fills its variables from labels that there are', () => {
    for (const { query } of variables.filter(({ type }) => type === 'query')) {
      const [, expr = '', label = ''] = /^label_values\((.+), (\w+)\)$/.exec(query.query) ?? []
      const asked = readQuery(filled(expr))
      expect(faultsOf(asked)).toEqual([])
      expect(answeredBy(asked)).toContain(label)
    }
  })

  test('shows alarms, places, margin, stake, epochs, blocks and endpoints', () => {
    const shown = new Set(
      targets.flatMap(({ expr }) => readQuery(filled(expr)).selectors.map(({ metric }) => metric)),
    )
    const ENDS = [
      'alarm_active',
      'alarms',
      'chain_slots_to_next_epoch',
      'endpoint_up',
      'endpoint_head_age_seconds',
    ]
    const OF_VALIDATOR = ['rank', 'places', 'forecast_rank', 'margin_tokens', 'effective_balance_tokens']
    const MORE = ['drops_out_epoch', 'blocks_signed_total', 'blocks_missed_total']
    const wanted = [...ENDS, ...[...OF_VALIDATOR, ...MORE].map((name) => `validator_${name}`)]
    expect(wanted.filter((name) => !shown.has(`bearings_${name}`))).toEqual([])
  })
})

describe('rules and dashboard together', () => {
  /** What neither names, and why not. */
  const NOT_NAMED: Partial<Record<keyof typeof METRICS, string>> = {
    bearings_chain_slot: 'the epoch and the slots until the next one tell the same',
    bearings_validator_info: 'the index is for queries of others',
    bearings_validator_proof_signed_percent:
      'more than two thirds, or none: the count of anchors is what matters then',
    bearings_validator_forecast_epoch: 'one of the next five: the rank there is what matters',
    bearings_endpoint_head: 'its age tells whether it moves',
  }

  test('name every metric, but for those with a reason', () => {
    const rules: { expr: string }[] = parse(textOf('alerts.yml')).groups.flatMap(
      (group: { rules: { expr: string }[] }) => group.rules,
    )
    const { panels, templating } = JSON.parse(textOf('grafana.json'))
    const targets: { expr: string }[] = panels.flatMap(
      (panel: { targets?: unknown[] }) => panel.targets ?? [],
    )
    const variables: { definition?: string }[] = templating.list
    const asked = [
      ...[...rules, ...targets].map(({ expr }) => expr),
      ...variables.map((each) => each.definition),
    ]
    const named = new Set(asked.join('\n').match(/\bbearings_\w+/g))
    expect(Object.keys(METRICS).filter((metric) => !named.has(metric))).toEqual(Object.keys(NOT_NAMED))
  })
})

/** Reads a unit of systemd. Throws for a line that is none, for a key without a section and for one that is there twice. */
function readUnit(text: string): Map<string, Map<string, string>> {
  const sections = new Map<string, Map<string, string>>()
  let now: Map<string, string> | undefined
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const [, section] = /^\[([A-Z][a-z]+)\]$/.exec(line) ?? []
    if (section !== undefined) {
      if (sections.has(section)) throw new Error(`twice: ${line}`)
      now = new Map()
      sections.set(section, now)
      continue
    }
    const [, key, value = ''] = /^([A-Z][A-Za-z]+)=(\S.*)?$/.exec(line) ?? []
    if (key === undefined || now === undefined) throw new Error(`no line of a unit: ${line}`)
    if (now.has(key)) throw new Error(`twice: ${line}`)
    now.set(key, value)
  }
  return sections
}

describe('the unit of systemd', () => {
  const text = textOf('bearings-watch.service')
  const service = readUnit(text).get('Service') ?? new Map<string, string>()

  test.each(['Key=1', '[Unit]\nA line', '[Unit]\nKey=1\nKey=2', '[Unit]\n[Unit]', '[Unit]\nKey = 1'])(
    'would be refused if it were %j',
    (wrong) => {
      expect(() => readUnit(wrong)).toThrow()
    },
  )

  test('has three sections, and takes the rights away that the program does not need', () => {
    expect([...readUnit(text).keys()]).toEqual(['Unit', 'Service', 'Install'])
    expect(Object.fromEntries(service)).toMatchObject({
      DynamicUser: 'yes',
      StateDirectory: 'bearings',
      ProtectSystem: 'strict',
      ProtectHome: 'yes',
      PrivateTmp: 'yes',
      NoNewPrivileges: 'yes',
      RestrictAddressFamilies: 'AF_INET AF_INET6 AF_UNIX',
      CapabilityBoundingSet: '',
    })
    expect(service.has('MemoryDenyWriteExecute')).toBe(false)
    expect(text).toMatch(/^# MemoryDenyWriteExecute= must not be set: V8/m)
  })

  test('takes it for well when it was stopped, and starts it again when it failed, but not with a configuration that it refuses', () => {
    expect(service.get('SuccessExitStatus')).toBe(String(EXIT.stopped))
    expect(service.get('Restart')).toBe('on-failure')
    expect(Number(service.get('RestartSec'))).toBeGreaterThan(0)
    expect(service.get('RestartPreventExitStatus')).toBe(String(EXIT.wrongUse))
  })

  test('starts the watch with options that it takes, in its own state directory', async () => {
    const [program = '', command, ...argv] = service.get('ExecStart')?.split(' ') ?? []
    expect(program).toMatch(/^\/[a-z/]+\/bearings$/)
    expect(command).toBe('watch')
    expect(isTaken(argv)).toBe(true)
    expect(argv.join(' ')).toContain(`--state %S/${service.get('StateDirectory')} `)
    const [credential] = service.get('LoadCredential')?.split(':') ?? []
    expect(argv.join(' ')).toContain(`--config \${CREDENTIALS_DIRECTORY}/${credential} `)
  })

  const ANALYZE = 'systemd-analyze'
  const hasAnalyze = spawnSync(ANALYZE, ['--version']).status === 0
  test.skipIf(!hasAnalyze)('is accepted by systemd, but for the program, which is not installed here', () => {
    const path = join(FOLDER, 'bearings-watch.service')
    const { stdout, stderr } = spawnSync(ANALYZE, ['verify', path], { encoding: 'utf8' })
    const said = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('bearings'))
    expect(said.filter((line) => !/: Command \/\S+\/bearings is not executable: /.test(line))).toEqual([])
  })
})

describe('the container', () => {
  const lines = textOf('Containerfile')
    .replace(/\\\n\s*/g, '')
    .split('\n')
  const instructions = lines.flatMap((line) => {
    const [, name = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? []
    return name === '' ? [] : [{ name, rest }]
  })
  const restOf = (name: string) => instructions.find((each) => each.name === name)?.rest ?? ''

  test('is made of lines that are instructions or comments, each kind once', () => {
    expect(lines.filter((line) => line !== '' && !/^(?:#|[A-Z]+ )/.test(line))).toEqual([])
    const ORDER = ['FROM', 'COPY', 'RUN', 'USER', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD']
    expect(instructions.map(({ name }) => name)).toEqual(ORDER)
  })

  test('begins with a Node that is new enough, and holds the package alone', () => {
    const [, major = ''] = /^docker\.io\/library\/node:(\d+)-/.exec(restOf('FROM')) ?? []
    expect(Number(major)).toBeGreaterThan(OLDEST_NODE[0])
    expect(restOf('COPY')).toBe('bearings-*.tgz /tmp/bearings.tgz')
    expect(restOf('USER')).toBe('node')
  })

  test('starts the watch with options that it takes, and keeps its state in the volume', async () => {
    const [program, command, ...argv] = ['ENTRYPOINT', 'CMD'].flatMap((name): string[] =>
      JSON.parse(restOf(name)),
    )
    expect([program, command]).toEqual(['bearings', 'watch'])
    expect(isTaken(argv)).toBe(true)
    expect(argv.slice(0, 2)).toEqual(['--state', restOf('VOLUME')])
    expect(argv.slice(-2)).toEqual(['--metrics', `0.0.0.0:${restOf('EXPOSE')}`])
  })

  test('is well while the watch lives', async () => {
    let now = 0
    const clock = { monotonicMs: () => now }
    const server = await openMetricsServer({ host: '127.0.0.1', port: 0, names: [], clock, patienceMs: 1000 })
    const [, given = '[]'] = /CMD (\[.*\])$/.exec(restOf('HEALTHCHECK')) ?? []
    const [program, flag = '', script = ''] = JSON.parse(given) as string[]
    expect([program, flag]).toEqual(['node', '-e'])
    expect(script).toContain(`http://127.0.0.1:${restOf('EXPOSE')}/live`)
    const here = script.replace(`http://127.0.0.1:${restOf('EXPOSE')}`, server.url)
    const check = () =>
      new Promise<number | null>((resolve) => {
        spawn(process.execPath, [flag, here], { stdio: 'ignore' }).on('exit', resolve)
      })
    expect(await check()).toBe(0)
    now = 1001
    expect(await check()).toBe(1)
    await server.close()
    expect(await check()).toBe(1)
  })
})
