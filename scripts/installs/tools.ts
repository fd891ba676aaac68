import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

/** A stock Node and an npm that comes with one of its line. */
export type Pair = { node: string; npm: string }

/** Each line of Node that people have, with the npm that it brings; of Node 18 the earlier ones bring npm 9. */
export const PAIRS: readonly Pair[] = [
  { node: '18.20.8', npm: '9.9.4' },
  { node: '18.20.8', npm: '10.8.2' },
  { node: '20.20.2', npm: '10.8.2' },
  { node: '22.18.0', npm: '10.9.3' },
  { node: '22.23.3', npm: '10.9.9' },
  { node: '24.9.0', npm: '11.6.0' },
  { node: '24.21.0', npm: '11.19.1' },
]

export type Tools = {
  pair: Pair
  /** A PATH on which that Node and npm are, and what a system has besides, but for git. */
  path: string
}

/** What a checkout needs of a system; neither Node nor npm nor git is taken from it. */
const NOT_OF_THE_SYSTEM = /^(?:node|npm|npx|corepack|yarn|pnpm|git.*)$/

/** Installs a Node and an npm from the registry, in a folder of their own; throws what npm says. */
export function bringTools(directory: string, pair: Pair): Tools {
  const place = join(directory, 'tools', `${pair.node}-${pair.npm}`)
  mkdirSync(join(place, 'bin'), { recursive: true })
  const packages = [`node-linux-${process.arch}@${pair.node}`, `npm@${pair.npm}`]
  const options = ['--prefix', place, '--no-save', '--ignore-scripts', '--loglevel=error', '--no-bin-links']
  execFileSync('npm', ['install', ...options, ...packages], { stdio: ['ignore', 'ignore', 'inherit'] })
  const modules = join(place, 'node_modules')
  symlinkSync(join(modules, `node-linux-${process.arch}/bin/node`), join(place, 'bin/node'))
  for (const name of ['npm', 'npx'])
    symlinkSync(join(modules, `npm/bin/${name}-cli.js`), join(place, 'bin', name))
  return { pair, path: `${join(place, 'bin')}:${systemWithout(directory)}` }
}

/** A folder with a link to each program of the system that is not Node, npm or git. */
function systemWithout(directory: string): string {
  const system = join(directory, 'system')
  if (mkdirSync(system, { recursive: true }) === undefined) return system
  for (const folder of ['/usr/bin', '/bin']) {
    for (const name of readdirSync(folder).filter((each) => !NOT_OF_THE_SYSTEM.test(each))) {
      try {
        symlinkSync(join(folder, name), join(system, name))
      } catch (error) {
        // Where /bin is /usr/bin, all are there already.
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
    }
  }
  return system
}

/** What npm needs to reach its registry from here, as variables: a copy is run without the settings of this user. */
export function registryEnvironment(): Record<string, string> {
  const names = ['registry', 'cafile', 'proxy', 'https-proxy', 'noproxy']
  return Object.fromEntries(
    names.flatMap((name) => {
      const said = execFileSync('npm', ['config', 'get', name], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim()
      return said === '' || said === 'null' ? [] : [[`npm_config_${name.replaceAll('-', '_')}`, said]]
    }),
  )
}
