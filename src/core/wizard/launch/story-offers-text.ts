import type { ScenarioName } from '../../chain/network/scenario-names.ts'

/** What the stories of a rehearsal are called, in one language. */
export const STORY_NAMES_TEXT: Readonly<Record<ScenarioName, string>> = {
  'set-full': 'All seven steps',
  'as-on-mainnet': 'As on mainnet',
  'free-places': 'Free places',
  'tie-at-the-last-place': 'A tie',
  'squatted-key': 'Squatted key',
  'burnt-deposit': 'Burnt, and rescued',
  'exited-key': 'Exited key',
  'outbid-while-active': 'Outbid while active',
  'outbid-at-night': 'Outbid in the night',
  'node-stops': 'The node stops',
  'troubles-while-active': 'Troubles',
  'pool-validator': 'A pool’s validator',
}

type Story = { scenario: ScenarioName; short: string; words: string }

/** What each story is about; the first is the one to begin with. */
export const STORIES: readonly Story[] = [
  {
    scenario: 'set-full',
    short: 'the active set is full: start here',
    words:
      'The active set is full, as on the real network: with the least top-up the validator is out at once and for ever. Start here.',
  },
  {
    scenario: 'as-on-mainnet',
    short: 'nothing is easier than with real money',
    words:
      'Three accounts, a password, hidden groups and a second endpoint, typed from your own paper. Do it before the real one.',
  },
  {
    scenario: 'free-places',
    short: 'the least top-up is enough',
    words: 'Three places of the active set are free: the least top-up joins it.',
  },
  {
    scenario: 'tie-at-the-last-place',
    short: 'equal stake in the last place',
    words:
      'Somebody in the last place has exactly the least stake. Equal stake is a tie: your validator is out at once and for ever.',
  },
  {
    scenario: 'squatted-key',
    short: 'a stranger has set your operator',
    words:
      'A stranger has made a deposit for your key and is its operator. See where the wizard stops you, and go on with a new key.',
  },
  {
    scenario: 'burnt-deposit',
    short: 'a first deposit of your key was burnt',
    words:
      'A first deposit of your key was burnt: its signature was wrong. The key can be registered all the same.',
  },
  {
    scenario: 'exited-key',
    short: 'your key has left the set for ever',
    words: 'Your key was a validator, dropped out of the active set and was paid out. It cannot come back.',
  },
  {
    scenario: 'outbid-while-active',
    short: 'somebody adds stake: keep your place',
    words:
      'Once your validator is active, somebody adds stake. You are told when you drop out, and what keeps your place.',
  },
  {
    scenario: 'outbid-at-night',
    short: 'a guard keeps your place while you sleep',
    words:
      'Arm a guard once your validator is active, and touch nothing more: somebody adds stake, and the guard keeps your place.',
  },
  {
    scenario: 'node-stops',
    short: 'it answers nothing while you are active',
    words:
      'Once your validator is active, its node stops answering for 40 slots. See what the last step says meanwhile.',
  },
  {
    scenario: 'troubles-while-active',
    short: 'missed blocks, an operator change',
    words:
      'Once your validator is active, it misses blocks and an operator change is queued. See what bearings watch tells.',
  },
  {
    scenario: 'pool-validator',
    short: 'your key is a staking pool’s: no direct stake',
    words:
      'Your key is a validator of a staking pool. See why step 6 is closed for it, and who has what somebody adds directly.',
  },
]
