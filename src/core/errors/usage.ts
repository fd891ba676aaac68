import { BaseError } from './base.ts'

/** A command was called in a way that has no meaning. */
class UsageError extends BaseError {
  override name = 'UsageError'
}

/** One option or argument is missing or odd. Texts must already be safe to draw. */
export function badUsage(problem: { sentence: string; found?: string; next: string }): UsageError {
  return new UsageError('usage.option', problem.sentence, {
    details: problem.found === undefined ? [] : [`found: ${problem.found}`],
    nextSteps: [problem.next],
  })
}

/** The command needs to know its network and nothing says which. */
export function noNetwork(): UsageError {
  return new UsageError(
    'usage.no-network',
    'No network selected: add --network mainnet, bepolia or a file.',
    {
      nextSteps: [
        'Give --network mainnet, bepolia or a network FILE.json, --spec with --genesis, or --devnet.',
        'Or give --home: the chain id in its client.toml names a built-in network.',
      ],
    },
  )
}

/** A network that is no built-in name and no file. `found` must already be safe to draw. */
export function noSuchNetwork(found: string): UsageError {
  return new UsageError('usage.no-such-network', 'There is no network of this name, and no such file.', {
    details: [`found: ${found}`],
    nextSteps: [
      'Give mainnet, bepolia or rehearsal, in small letters, or the path of a network FILE.json.',
      'Or describe another network with --spec and --genesis.',
    ],
  })
}

/** The directory that should be the node's home is not there. `path` and `next` must already be safe to draw. */
export function noHome(path: string, next: readonly string[]): UsageError {
  return new UsageError('usage.no-home', 'There is no node home here.', {
    details: [`path: ${path}`],
    nextSteps: next,
  })
}

/** No rehearsal network was ever started below this state directory. */
export function noRehearsal(): UsageError {
  return new UsageError('usage.no-rehearsal', 'There is no rehearsal network to look at.', {
    nextSteps: ['Start one with bearings devnet and give its line or file with --devnet.'],
  })
}
