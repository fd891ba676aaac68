type Environment = Readonly<Record<string, string | undefined>>

/** Whether an environment asks for lines in place of drawing: a terminal that cannot draw, or a screen reader. */
export function wantsPlain({ TERM, INK_SCREEN_READER = '' }: Environment): boolean {
  return TERM === 'dumb' || !['', '0', 'false'].includes(INK_SCREEN_READER)
}
