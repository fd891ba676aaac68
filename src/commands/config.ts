import { type KeptPlace, keptPlaces } from '../compose/kept-places.ts'
import { PLAIN_RENDERER } from '../output/fact-lines.ts'
import { EXIT, type ExitCode, type Renderer } from '../output/io.ts'
import { type Call, commandOf, pathOf } from './command.ts'
import type { ConfigFields } from './documents/config.ts'
import { textLines } from './report-lines.ts'
import { tellDocument } from './tell-document.ts'

/** The command `config`: where everything is kept, and why. */
export const config = commandOf('config', tellPlaces)

async function tellPlaces(call: Call): Promise<ExitCode> {
  const { io, json, environment, stateDirectory } = call
  const { renderer = PLAIN_RENDERER } = io
  const directory = pathOf(call.options.state ?? stateDirectory, environment)
  const places = await keptPlaces({ stateDirectory: directory, environment, platform: process.platform })
  if (json) {
    const fields = { places: places.map(placeFields), words: { notKept: NOT_KEPT } }
    tellDocument<ConfigFields>('config', { network: null, verdict: 'yes', fields }, call)
  } else
    for (const line of [...places.flatMap((place) => placeLines(place, renderer)), ...notKept(renderer)])
      io.out(line)
  return EXIT.done
}

function placeFields({ label, what, because, mayBeDeleted, ...place }: KeptPlace) {
  return {
    ...place,
    mayBeDeleted: mayBeDeleted === 'yes',
    words: { label, what, because },
  }
}

/** A place as lines: what it is, where, how large, and whether it may go. */
function placeLines(place: KeptPlace, renderer: Renderer): string[] {
  const { label, path, what, because } = place
  const may = place.mayBeDeleted === 'yes' ? 'may be deleted: yes' : 'may be deleted: no'
  return [
    renderer.paint('strong', renderer.plain(label)),
    `  ${renderer.plain(path)}`,
    ...textLines(`  ${sizeWords(place)}; ${what}`, renderer),
    ...textLines(`  ${may}, ${because}`, renderer),
  ]
}

function sizeWords({ exists, bytes, files, fault }: KeptPlace): string {
  if (fault !== undefined) return `cannot be read by you (${fault})`
  if (!exists) return 'not there yet'
  const kibibytes = `${Math.ceil(bytes / 1024).toLocaleString('en')} KiB`
  return files === 1 ? kibibytes : `${kibibytes} in ${files.toLocaleString('en')} files`
}

const NOT_KEPT = [
  'Passwords and private keys: nowhere. A process of its own reads them for one signature.',
  'The configuration of a watch: where you put it; --config names it each time.',
  "The node's home: only read, never written.",
]

function notKept(renderer: Renderer): string[] {
  return [
    renderer.paint('strong', 'not kept by the program'),
    ...NOT_KEPT.flatMap((text) => textLines(`  ${text}`, renderer)),
  ]
}
