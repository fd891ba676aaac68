/** Tests of other rooms that see what a file does, by the path of the file or of its folder. */
export const SEEN_BY: Readonly<Record<string, readonly string[]>> = {
  'src/core/pay/gate/following.ts': ['test/core/pay/gate/slow-answer.test.ts'],
  'src/core/pay/leave/ask-commands.ts': ['test/journeys/leaving.test.ts'],
}
