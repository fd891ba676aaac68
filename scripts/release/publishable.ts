import { isNeverPartial, type Lack } from '../build/lacks.ts'

export type Manifest = {
  name: string
  version: string
  private?: boolean
  files: string[]
  bin: Record<string, string>
  repository?: { url?: string }
  homepage?: string
  bugs?: string
}

/** A host that cannot exist stands in package.json until the sources have an address. */
const NO_HOST = /\.invalid$/

const ADDRESSES = ['repository.url', 'homepage', 'bugs'] as const

/**
 * Why this must not be published under that tag, in sentences; none where it may be. Where the package comes from is part
 * of its provenance, so an address that is not known yet is a reason; and so is a text about money, or an error, that one of
 * the languages has not.
 */
export function whyNotPublished(
  manifest: Manifest,
  build: { commit: string; tag: string; lacks: readonly Lack[] },
): string[] {
  const { version, repository, homepage, bugs } = manifest
  const urls = { 'repository.url': repository?.url, homepage, bugs }
  const reasons = [
    manifest.private === true && 'package.json says private.',
    ...ADDRESSES.map((field) => addressFault(field, hostOf(urls[field]))),
    build.tag !== `v${version}` &&
      `the tag is ${build.tag}, and package.json says version ${version}: it must be v${version}.`,
    build.commit === 'unknown' &&
      'the sources are no checkout, so nobody can tell what the package was made from.',
    build.commit.endsWith('+changes') && 'files were changed since the commit.',
    ...build.lacks
      .filter(isNeverPartial)
      .map(({ path, text }) => `a text of src/${path} is English in every language: "${text}"`),
  ]
  return reasons.filter((reason) => reason !== false)
}

function addressFault(field: (typeof ADDRESSES)[number], host: string | undefined): string | false {
  if (host === undefined) return `package.json names no address in ${field}.`
  return (
    NO_HOST.test(host) && `${field} in package.json names ${host}: write the address of the sources there.`
  )
}

function hostOf(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined
  return new URL(url).hostname || undefined
}
