import { ClientError } from '../errors/client.ts'
import { type Decoder, refuse } from '../format/decode.ts'

/** The answer, or undefined where the endpoint gave none that can be used; any other failure is thrown on. */
export async function unlessSilent<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (thrown) {
    if (thrown instanceof ClientError) return undefined
    throw thrown
  }
}

/** What a list is in a reply whose entries were read on the way: there, and empty. Throws a `FieldFault`. */
export const emptied: Decoder<undefined> = (value, path) =>
  Array.isArray(value) && value.length === 0 ? undefined : refuse(path, 'a list, once', value)
