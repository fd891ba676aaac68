/** What lines say of any screen outside the steps, in one language. */
export const EARLY_TEXT = {
  quit: 'quit',
  choose: (entries: number) => ({ name: `1 to ${entries}`, label: 'choose' }),
  takesFirst: 'takes 1',
  help: '? explains, < goes back, - empties it',
  keeps: (text: string) => (text === '' ? '' : `; Enter keeps ${text}`),
  prompt: (label: string, hint: string, keeps: string) => `${label} (${hint}${keeps}): `,
  shell: 'The same from a shell:',
  waiting: (title: string, label: string) => `${title}: waiting ${label}.`,
  titled: (title: string, badge: string) => `${title} (${badge})`,
  section: (title: string, note: string) => `${title} (${note})`,
  offer: (number: number, label: string, short: string) => `${number}  ${label}: ${short}`,
  field: (label: string, text: string) => `${label}: ${text === '' ? '-' : text}`,
  note: (label: string, words: string) => `${label}: ${words}`,
  choices: (label: string, names: string) => `${label} may be: ${names}`,
}
