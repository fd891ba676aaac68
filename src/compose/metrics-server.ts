import { Counter, Gauge, type OpenMetricsContentType, Registry } from 'prom-client'
import type { Clock } from '../core/base/effects/effects.ts'
import { type ListenerReply, listen } from '../core/base/effects/node-listener.ts'
import { safeText } from '../core/base/format/text.ts'
import { METRICS, type MetricName, type Sample } from '../watch/metrics.ts'

/** What a watch knows, for a monitoring system that asks: `/metrics`, `/live` and `/ready`. */
export type MetricsServer = {
  url: string
  /** What is answered from now on. `isAnswered`: whether any endpoint answered the look. */
  show(samples: readonly Sample[], options: { isAnswered: boolean }): void
  close(): Promise<void>
}

export type MetricsServerInput = {
  host: string
  port: number
  /** Names under which it may be asked beside that address, in lower case. */
  names: readonly string[]
  clock: Pick<Clock, 'monotonicMs'>
  /** A watch that finished no look for so long does not live. */
  patienceMs: number
}

const PLAIN = 'text/plain; charset=utf-8'

/** Names who was asked for, who may be, and the option that adds a name. */
function refuseHost(named: string, allowed: readonly string[]): ListenerReply {
  const name = safeText(named.replace(/:\d+$/, ''), 60)
  const body = [
    `You asked for the host "${name}". This watch answers only to: ${allowed.join(', ')}.`,
    `To allow it, start the watch with --metrics-host ${/^[\w.-]+$/.test(name) ? name : 'NAME'}.`,
  ]
  return { status: 421, contentType: PLAIN, body: `${body.join('\n')}\n` }
}

/** Listens for those who ask for metrics. Throws `watch.port` where the address cannot be had. */
export async function openMetricsServer({
  host,
  port,
  names,
  clock,
  patienceMs,
}: MetricsServerInput): Promise<MetricsServer> {
  let samples: readonly Sample[] = []
  let lookedMs = clock.monotonicMs()
  let ready = { is: false, why: 'no look is finished yet' }
  const page = (isWell: boolean, body: string): ListenerReply => ({
    status: isWell ? 200 : 503,
    contentType: PLAIN,
    body: `${body}\n`,
  })
  const live = () => {
    const agoMs = clock.monotonicMs() - lookedMs
    return page(agoMs <= patienceMs, `last look ${Math.floor(agoMs / 1000)} s ago`)
  }
  const respond = async (path: string): Promise<ListenerReply> => {
    if (path === '/metrics') return metricsText(samples)
    if (path === '/live') return live()
    if (path === '/ready') return page(ready.is, ready.why)
    return { status: 404, contentType: PLAIN, body: 'There are /metrics, /live and /ready.\n' }
  }
  const listener = await listen({ host, port, names }, respond, refuseHost)
  return {
    url: listener.url,
    show(next, { isAnswered }) {
      samples = next
      lookedMs = clock.monotonicMs()
      ready = { is: isAnswered, why: isAnswered ? 'ready' : 'no endpoint answered in the last look' }
    },
    close: listener.close,
  }
}

async function metricsText(samples: readonly Sample[]): Promise<ListenerReply> {
  const registry = new Registry<OpenMetricsContentType>()
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
  const byName = Map.groupBy(samples, ({ metric }) => metric)
  for (const [name, all] of byName) add(registry, name, all)
  // Of no metric the library makes a blank line, for which Prometheus refuses the page.
  const body = samples.length === 0 ? '# EOF\n' : await registry.metrics()
  return { status: 200, contentType: registry.contentType, body }
}

function add(registry: Registry<OpenMetricsContentType>, name: MetricName, samples: readonly Sample[]): void {
  const { help, type } = METRICS[name]
  const labelNames = [...new Set(samples.flatMap(({ labels }) => Object.keys(labels)))]
  const options = { name, help, labelNames, registers: [registry] }
  if (type === 'counter') {
    const counter = new Counter(options)
    for (const { labels, value } of samples) counter.inc(labels, value)
    return
  }
  const gauge = new Gauge(options)
  for (const { labels, value } of samples) gauge.set(labels, value)
}
