import type { HomeFinding } from './home-findings.ts'

/** What a home says of the place of its key. */
type HomeWords = { remoteSigner: string; findings: readonly HomeFinding[] }

const KEY_PLACE_FINDINGS: readonly string[] = ['remote-signer', 'key-missing']

/** Whether the home says that its key is not on this computer: a remote signer holds it, or there is no key file. */
export function keyIsElsewhere({ remoteSigner, findings }: HomeWords): boolean {
  return remoteSigner !== '' || findings.some(({ id }) => id === 'key-missing')
}

/** What in the home stops a deposit. A key on another machine does not: its public half can be typed. */
export function homeStops({ findings }: HomeWords): readonly HomeFinding[] {
  return findings.filter(({ id, severity }) => severity === 'stop' && !KEY_PLACE_FINDINGS.includes(id))
}
