/** What the table of a watch says beside its findings, in one language. */
export const TABLE_TEXT = {
  title: 'Watching',
  asking: 'asking for the validators',
  /** Where nobody has to do anything. */
  well: {
    now: 'Nothing needs you now.',
    one: 'Nothing needs you: it keeps its place.',
    all: 'Nothing needs you: all keep their places.',
  },
  head: { name: 'name', status: 'status', rank: 'rank', stake: 'stake', margin: 'margin', source: 'set' },
  alarm: (since: string, until: string, known: string) => `since ${since}${until}${known}`,
  until: (time: string) => ` · until ${time}`,
  known: ' · known',
  money: { line: 'nothing is sent here', worst: 'worst case here: none. A top-up is made in the wizard.' },
  keys: { choose: 'choose', open: 'open it', acknowledge: 'I know of it', all: 'all validators' },
}
