import type { Talk } from './plain-talk.ts'
import { sameEveryRun } from './still.ts'

/** Enter, once these words were said and it goes on. */
export async function goOnAfter(talk: Talk, words: string): Promise<void> {
  await talk.asked(new RegExp(`${words}[\\s\\S]*Enter continue`))
  talk.types('')
}

/** Leaves, and waits for the end. */
export async function quit(talk: Talk): Promise<void> {
  talk.types('q')
  await talk.over
}

/** From the first step to the check before the first deposit. */
export async function walkToDeposit(talk: Talk): Promise<void> {
  await goOnAfter(talk, 'Check the chain')
  await goOnAfter(talk, 'Check the key')
  await talk.asked(/^withdrawal \(/m)
  talk.types('')
  await typeGroups(talk)
  await talk.asked(/^operator \(/m)
  talk.types('')
  await talk.asked(/^amount \(/m)
  talk.types('10000')
  await talk.asked('Enter sign')
  talk.types('')
  await goOnAfter(talk, 'verifiers accept')
  await talk.asked('Enter review, then send')
}

/** Types the groups that stand between brackets in the rehearsal's own address. */
async function typeGroups(talk: Talk): Promise<void> {
  await talk.asked(/(?:withdrawal|operator) \d+[–-]\d+ \(/)
  const [, groups = ''] = /\[([^\]]+)\]/.exec(talk.said()) ?? []
  talk.types(groups)
}

/** Reads the final check behind Enter, then types its word. */
export async function sendBy(talk: Talk, word: string, label = 'send'): Promise<void> {
  await talk.asked(`Enter review, then ${label}`)
  talk.types('')
  await talk.asked(`type: ${word}`)
  await talk.waits(1_500)
  talk.types(word)
}

/** A transcript without what differs from run to run. */
export const masked = (transcript: string): string =>
  sameEveryRun(transcript)
    .replace(/((?:withdrawal|operator) #[–-]#: ).*/g, '$1....')
    .replace(/((?:withdrawal|operator) #[–-]# .*: )[0-9a-fA-F ]+$/gm, '$1....')

/** What a terminal that knows nothing but letters can show. */
export const PLAIN_TEXT = /^[\x20-\x7e\n]*$/
