import { parser } from '@prometheus-io/lezer-promql'

/** One metric that a query asks for, and by which labels. */
type Selector = { metric: string; matchers: readonly { label: string; op: string; value: string }[] }

/** What a query of Prometheus is made of. */
export type Query = {
  /** What the grammar of Prometheus does not know, as it stands in the text. */
  faults: readonly string[]
  /** In the order of the text. */
  selectors: readonly Selector[]
  /** Labels behind `by`, `without`, `on` and `ignoring`. */
  grouping: readonly { by: string; label: string }[]
  functions: readonly string[]
}

/** Reads a query with the grammar that the page of Prometheus itself is made with. */
export function readQuery(text: string): Query {
  const faults: string[] = []
  const selectors: { metric: string; matchers: Selector['matchers'][number][] }[] = []
  const grouping: { by: string; label: string }[] = []
  const functions: string[] = []
  const cursor = parser.parse(text).cursor()
  do {
    const { node, type } = cursor
    const said = text.slice(node.from, node.to)
    if (type.isError) faults.push(`${node.from}: ${text.slice(node.from, node.from + 20)}`)
    if (type.name === 'VectorSelector') {
      const metric = node.getChild('Identifier')
      selectors.push({ metric: metric ? text.slice(metric.from, metric.to) : '', matchers: [] })
    }
    if (type.name === 'FunctionIdentifier') functions.push(said)
    if (type.name === 'UnquotedLabelMatcher') {
      const [label = '', op = '', value = ''] = ['LabelName', 'MatchOp', 'StringLiteral'].map((name) => {
        const part = node.getChild(name)
        return part ? text.slice(part.from, part.to) : ''
      })
      selectors.at(-1)?.matchers.push({ label, op, value: value.slice(1, -1) })
    }
    if (type.name === 'LabelName' && node.parent?.name === 'GroupingLabels') {
      const before = node.parent.prevSibling
      grouping.push({ by: before ? text.slice(before.from, before.to) : '', label: said })
    }
  } while (cursor.next())
  return { faults, selectors, grouping, functions }
}
