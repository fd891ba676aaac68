import { ClientError } from '../../errors/client.ts'

/**
 * The answer, or undefined when this node does not offer the question: no fault of its own, for a node need not have
 * every endpoint of the standard. Every other failure is thrown on.
 */
export async function ifOffered<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (thrown) {
    if (thrown instanceof ClientError && thrown.fault === 'not-offered') return undefined
    throw thrown
  }
}
