import { ClientError } from '../errors/client.ts'

/** The answer, or undefined where the endpoint gave none that can be used; any other failure is thrown on. */
export async function unlessSilent<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (thrown) {
    if (thrown instanceof ClientError) return undefined
    throw thrown
  }
}
