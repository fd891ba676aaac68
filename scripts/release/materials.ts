import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../build/licences.ts'
import type { Manifest } from './publishable.ts'

type Component = { 'bom-ref': string; scope?: string; properties?: { name: string; value: string }[] }
type Dependency = { ref: string; dependsOn?: string[] }
type Bom = {
  serialNumber?: string
  metadata: { timestamp?: string; component: Component & Record<string, unknown> } & Record<string, unknown>
  components: Component[]
  dependencies: Dependency[]
}
type Locked = {
  name?: string
  version: string
  dev?: boolean
  devOptional?: boolean
  optional?: boolean
  link?: boolean
}

const DEVELOPMENT = 'cdx:npm:package:development'

/**
 * The bill of materials (CycloneDX) of what is published: of all that npm lists for the lockfile, the packages whose code is
 * bundled, those that are installed beside the program, and as `optional` those that are where their platform has them. What
 * only built and tested it is left out. Nothing in it is made up anew each time: it has no serial number and no time.
 */
export function materials(
  root: string,
  {
    listed,
    inputs,
    manifest,
    commit,
  }: { listed: string; inputs: readonly string[]; manifest: Manifest; commit: string },
): Bom {
  const { serialNumber: _, ...bom } = JSON.parse(listed) as Bom
  const { timestamp: __, ...metadata } = bom.metadata
  const own = metadata.component['bom-ref']
  const { bundled, installed, optional } = partsOf(root, inputs)
  const components = bom.components.flatMap((component): Component[] => {
    const ref = component['bom-ref']
    const isRequired = bundled.has(ref) || installed.has(ref)
    if (!isRequired && !optional.has(ref)) return []
    const properties = (component.properties ?? []).filter(({ name }) => name !== DEVELOPMENT)
    if (bundled.has(ref)) properties.push({ name: 'bearings:bundled', value: 'true' })
    return [{ ...component, scope: isRequired ? 'required' : 'optional', properties }]
  })
  const known = new Set([own, ...components.map((component) => component['bom-ref'])])
  const missing = [...bundled, ...installed].filter((ref) => !known.has(ref))
  if (missing.length > 0) throw new Error(`npm does not list what is shipped: ${missing.join(', ')}`)
  return {
    ...bom,
    metadata: {
      ...metadata,
      component: {
        ...metadata.component,
        name: manifest.name,
        type: 'application',
        properties: [{ name: 'bearings:commit', value: commit }],
      },
    },
    components,
    dependencies: bom.dependencies
      .filter(({ ref }) => known.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => known.has(each)) })),
  }
}

/** Name and version of each package by how it comes to the user. */
function partsOf(root: string, inputs: readonly string[]) {
  const folders = new Set(inputs.map(packageFolder).filter((folder) => folder !== undefined))
  const bundled = new Set([...folders].map((folder) => refOf(join(root, folder))))
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const locked = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.startsWith('node_modules/') && dev !== true && link !== true,
  )
  const refs = (optional: boolean) =>
    new Set(
      locked
        .filter(([, entry]) => (entry.optional === true || entry.devOptional === true) === optional)
        .map(([path, { name, version }]) => `${name ?? path.replace(/^.*node_modules\//, '')}@${version}`),
    )
  return { bundled, installed: refs(false), optional: refs(true) }
}

function refOf(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  return `${name}@${version}`
}
