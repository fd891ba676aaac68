import { unawaited } from '../errors/base.ts'
import { HttpError, httpError } from '../errors/http.ts'
import { endpointLabel } from '../format/endpoint-url.ts'
import type { Effects, HttpReply, HttpRequest } from './effects.ts'

/** One kind of service at one address: what was heard of it, and what ends every question once it is known to be silent. */
type Place = {
  replies: number
  silence: PromiseWithResolvers<never>
  /** Ends what is still on its way. */
  end: AbortController
  /** Why nothing more is asked of it. */
  over: HttpError | undefined
}

/**
 * The same world for one look that must come to an end: an endpoint that lets a question of at least `leastMs` run out, and
 * in all that time answers nothing else either, is silent until the end. What waits for it fails at once, and so does what
 * is asked later, with an `HttpError` as of any question that ran out: it is not known, never good. For commands that
 * look once; whoever goes on looking must ask again.
 */
export function withOneSilence<E extends Pick<Effects, 'http'>>(effects: E, leastMs: number): E {
  const places = new Map<string, Place>()
  const ask = async (request: HttpRequest): Promise<HttpReply> => {
    const { url, deadlineMs } = request
    const place = placeOf(places, request)
    if (place.over !== undefined) throw place.over
    const { replies } = place
    try {
      const reply = await Promise.race([effects.http.request(heardBy(place, request)), place.silence.promise])
      place.replies += 1
      return reply
    } catch (thrown) {
      const ranOut = thrown instanceof HttpError && thrown.fault === 'timeout' && deadlineMs >= leastMs
      if (!ranOut || place.over !== undefined || place.replies !== replies) throw thrown
      place.over = httpError('http.timeout', endpointLabel(url), deadlineMs, 'over')
      place.silence.reject(place.over)
      place.end.abort(place.over)
      throw place.over
    }
  }
  return { ...effects, http: { request: ask } }
}

/** Execution client, node and engine may share one address: those that are asked in the same way are told as one. */
function placeOf(places: Map<string, Place>, { method, url }: HttpRequest): Place {
  const name = `${method} ${endpointLabel(url)}`
  const known = places.get(name)
  if (known !== undefined) return known
  const silence = Promise.withResolvers<never>()
  // Nobody may be waiting when it ends.
  void unawaited(silence.promise)
  const place: Place = { replies: 0, silence, end: new AbortController(), over: undefined }
  places.set(name, place)
  return place
}

/** A body that arrives piece by piece is an answer with its first piece. */
function heardBy(place: Place, request: HttpRequest): HttpRequest {
  const { sink, signal: own } = request
  const signal = own === undefined ? place.end.signal : AbortSignal.any([own, place.end.signal])
  if (sink === undefined) return { ...request, signal }
  return {
    ...request,
    signal,
    sink(piece) {
      place.replies += 1
      sink(piece)
    },
  }
}
