import { type KeptPlace, keptPlaces } from '../compose/kept-places.ts'
import { PLAIN_PAPER } from '../output/fact-lines.ts'
import { EXIT, type ExitCode, type Paper, printable } from '../output/io.ts'
import { type Call, commandOf, pathOf } from './command.ts'
import { textLines } from './report-lines.ts'

/** The command `config`: where everything is kept, and why. */
export const config = commandOf('config', tellPlaces)

async function tellPlaces(call: Call): Promise<ExitCode> {
  const { io, json, environment, stateDirectory } = call
  const { paper = PLAIN_PAPER } = io
  const directory = pathOf(call.options.state ?? stateDirectory, environment)
  const places = await keptPlaces({ stateDirectory: directory, environment, platform: process.platform })
  if (json) io.out(printable({ command: 'config', places, notKept: NOT_KEPT }))
  else
    for (const line of [...places.flatMap((place) => placeLines(place, paper)), ...notKept(paper)])
      io.out(line)
  return EXIT.done
}

/** A place as lines: what it is, where, how large, and whether it may go. */
function placeLines(place: KeptPlace, paper: Paper): string[] {
  const { label, path, what, because } = place
  const may = place.mayBeDeleted === 'yes' ? 'may be deleted: yes' : 'may be deleted: no'
  return [
    paper.paint('strong', paper.plain(label)),
    `  ${paper.plain(path)}`,
    ...textLines(`  ${sizeWords(place)}; ${what}`, paper),
    ...textLines(`  ${may}, ${because}`, paper),
  ]
}

function sizeWords({ exists, bytes, files }: KeptPlace): string {
  if (!exists) return 'not there yet'
  const kibibytes = `${Math.ceil(bytes / 1024).toLocaleString('en')} KiB`
  return files === 1 ? kibibytes : `${kibibytes} in ${files.toLocaleString('en')} files`
}

const NOT_KEPT = [
  'Passwords and private keys: nowhere. A process of its own reads them for one signature.',
  'The configuration of a watch: where you put it; --config names it each time.',
  "The node's home: only read, never written.",
]

function notKept(paper: Paper): string[] {
  return [
    paper.paint('strong', 'not kept by the program'),
    ...NOT_KEPT.flatMap((text) => textLines(`  ${text}`, paper)),
  ]
}
