import parse from 'parse-prometheus-text-format'

/** What a page of metrics says, read by another program than the one that wrote it. */
export function readMetrics(text: string) {
  const families = parse(text)
  return {
    names: families.map(({ name }) => name),
    /** The first value of a metric whose labels are these; undefined where it has none. */
    value(metric: string, of: Readonly<Record<string, string>> = {}): string | undefined {
      const samples = families.find(({ name }) => name === metric)?.metrics ?? []
      return samples.find(({ labels = {} }) =>
        Object.entries(of).every(([label, value]) => labels[label] === value),
      )?.value
    },
  }
}
