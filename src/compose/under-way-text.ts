/** What is said of a journal that cannot be gone on with at once. */
export const UNDER_WAY_TEXT = {
  unreadable: 'journal cannot be read',
  newer: 'journal of a newer version',
  older: 'journal of an older version',
  damaged: (line: number) => `journal damaged at line ${line}`,
  held: (pid: number | undefined) => `open in another window (process ${pid})`,
  perhapsHeld: (words: string, where: string, pid: number | undefined) =>
    `${words}; perhaps open${where} (process ${pid})`,
  host: (name: string) => ` on ${name}`,
  otherNetwork: 'its files name another network',
  noNetworkFile: 'its network file is not there',
  silentNetwork: 'its network does not answer',
}
