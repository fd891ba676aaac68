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
  return new UsageError('usage.no-network', 'Nothing says which network this is about.', {
    nextSteps: [
      'Give --network mainnet, bepolia or a network FILE.json, --spec with --genesis, or --devnet.',
      'Or give --home: the chain id in its client.toml names a built-in network.',
    ],
  })
}

/** No rehearsal network was ever started below this state directory. */
export function noRehearsal(): UsageError {
  return new UsageError('usage.no-rehearsal', 'There is no rehearsal network to look at.', {
    nextSteps: ['Start one with bearings devnet and give its line or file with --devnet.'],
  })
}
