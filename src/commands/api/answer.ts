/** What came of a question: an answer, "this node does not offer it", or "it knows no such thing". */
export type Answer = { kind: 'found'; value: unknown } | { kind: 'not-offered' } | { kind: 'absent' }

/** An answer of an endpoint that every node has. */
export async function found(value: Promise<unknown>): Promise<Answer> {
  return { kind: 'found', value: await value }
}

/** An answer of an endpoint that a node may lack: undefined is "not offered". */
export async function optional(value: Promise<unknown>): Promise<Answer> {
  const answer = await value
  return answer === undefined ? { kind: 'not-offered' } : { kind: 'found', value: answer }
}

/** An answer about one thing: undefined is "there is none". */
export async function lookup(value: Promise<unknown>): Promise<Answer> {
  const answer = await value
  return answer === undefined ? { kind: 'absent' } : { kind: 'found', value: answer }
}
