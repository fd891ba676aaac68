import { parseSync } from 'oxc-parser'
import { hashOf } from './drawn.ts'

/** A change of a source: where it is, what is there, and what is put in its place. */
export type Mutant = {
  /** Number within its file, from 0 on. */
  nth: number
  /** What it is called as long as its line stays as it is, whatever stands before it. */
  name: string
  line: number
  /** What kind of change it is. */
  kind: string
  from: string
  to: string
}

type Node = { type: string; start: number; end: number } & Record<string, unknown>

/** A change as it is found: the text that takes the place of a whole expression. */
type Change = Omit<Mutant, 'nth' | 'name' | 'line'> & { text: string }

/** The other operator, one change each. */
const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
}

/** Another method in the place of one; an empty text: what it was called on. */
const METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  find: 'findLast',
  findIndex: 'findLastIndex',
  indexOf: 'lastIndexOf',
  filter: '',
  slice: '',
  toReversed: '',
  toSorted: '',
  concat: '',
  trim: '',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  toLowerCase: 'toUpperCase',
}

/** Parts of a node that are types, names or sources, in which nothing is changed. */
const LEFT_ALONE = new Set([
  'typeAnnotation',
  'returnType',
  'typeParameters',
  'typeArguments',
  'superTypeArguments',
  'source',
  'id',
  'params',
  'attributes',
])

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** A source with all of its mutants in it, each asked for by its number, so that one build serves all. */
export type Schemata = { mutants: readonly Mutant[]; code: string }

/**
 * Writes every mutant into a source: an expression becomes a choice between its changes and itself. `isWanted` may leave
 * some out. The chosen one is what `globalThis.mutants` says; `first` is the number of the file's first mutant.
 */
export function schemataOf(
  path: string,
  source: string,
  { first = 0, isWanted = () => true }: { first?: number; isWanted?: (nth: number) => boolean } = {},
): Schemata {
  const { program, errors } = parseSync(path, source)
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]?.message}`)
  const mutants: Mutant[] = []
  const lines = lineStarts(source)
  const alike = new Map<string, number>()
  let count = 0

  const textOf = ({ start, end }: Pick<Node, 'start' | 'end'>) => source.slice(start, end)

  /** By its line, what it changes into what, and how often the same was met before. */
  function nameOf(line: number, { kind, from, to }: Omit<Change, 'text'>): string {
    const text = source.slice(lines[line - 1], lines[line]).trim()
    const what = [text, kind, from, to].join('\n')
    const before = alike.get(what) ?? 0
    alike.set(what, before + 1)
    return hashOf(`${what}\n${before}`).slice(0, 10)
  }

  /** The text of a node with the choices of its inner ones, and its own around them. */
  function write(node: Node, parents: readonly Node[]): string {
    const inner = writeInner(node, parents)
    const changes = changesOf(node, parents, textOf)
    const choices: string[] = []
    for (const { text, ...change } of changes) {
      const nth = count
      count += 1
      const line = lineOf(lines, node.start)
      const name = nameOf(line, change)
      if (!isWanted(nth)) continue
      mutants.push({ nth, name, line, ...change })
      choices.push(`globalThis.mutants.is(${first + nth}) ? (${text}) : `)
    }
    if (choices.length === 0) return inner
    const chosen = `(${choices.join('')}(${inner}))`
    // Without semicolons a line must not begin with a bracket.
    return parents.at(-1)?.type === 'ExpressionStatement' ? `void ${chosen}` : chosen
  }

  function writeInner(node: Node, parents: readonly Node[]): string {
    let text = ''
    let at = node.start
    for (const child of childrenOf(node)) {
      text += source.slice(at, child.start) + write(child, [...parents, node])
      at = child.end
    }
    return text + source.slice(at, node.end)
  }

  const code = writeInner(program as unknown as Node, [])
  const whole =
    source.slice(0, (program as unknown as Node).start) +
    code +
    source.slice((program as unknown as Node).end)
  return { mutants, code: whole }
}

/** The parts of a node in which something may be changed, in their order. */
function childrenOf(node: Node): Node[] {
  if (node.type.startsWith('TS') && !('expression' in node)) return []
  const children: Node[] = []
  for (const [key, value] of Object.entries(node)) {
    if (LEFT_ALONE.has(key)) {
      if (key === 'params') for (const one of value as unknown[]) children.push(...defaultsIn(one))
      continue
    }
    if (node.type.startsWith('TS') && key !== 'expression') continue
    if (node.type === 'Property' && key === 'key' && node.computed !== true) continue
    if (node.type === 'MemberExpression' && key === 'property' && node.computed !== true) continue
    if (node.type === 'ImportDeclaration' || node.type === 'TemplateElement') continue
    for (const one of Array.isArray(value) ? value : [value]) if (isNode(one)) children.push(one)
  }
  // A pattern names what it takes; `{ a }` is both key and value at one place.
  return children
    .filter(({ type }) => !type.endsWith('Pattern') || type === 'AssignmentPattern')
    .toSorted((a, b) => a.start - b.start)
    .filter((one, nth, all) => nth === 0 || one.start >= (all[nth - 1]?.end ?? 0))
}

/** The values that parameters have where none is given. */
function defaultsIn(parameter: unknown): Node[] {
  if (!isNode(parameter)) return []
  if (parameter.type === 'AssignmentPattern') return [parameter.right as Node]
  if (parameter.type === 'ObjectPattern')
    return (parameter.properties as Node[]).flatMap(({ value }) => defaultsIn(value))
  return []
}

/** Every change of one expression. */
function changesOf(
  node: Node,
  parents: readonly Node[],
  textOf: (node: Pick<Node, 'start' | 'end'>) => string,
): Change[] {
  const parent = parents.at(-1)
  // Inside of an optional chain only the whole may be exchanged.
  if (isInChain(parents, node)) return []
  const from = textOf(node)
  const changes: Change[] = []
  const add = (kind: string, to: string, text = to) =>
    changes.push({ kind, from: cut(from), to: cut(to), text })
  switch (node.type) {
    case 'Literal':
      literal(node, from, add)
      break
    case 'TemplateLiteral':
      if (parent?.type !== 'TaggedTemplateExpression' && from !== '``') add('literal', '``')
      break
    case 'ArrayExpression':
      if ((node.elements as unknown[]).length > 0) add('literal', '[]')
      break
    case 'ObjectExpression':
      if ((node.properties as unknown[]).length > 0) add('literal', '{}', '({})')
      break
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const [left, right] = [node.left as Node, node.right as Node]
      // Brackets: what is exchanged must not be read in another order.
      for (const other of OPERATORS[node.operator as string] ?? [])
        add(
          'operator',
          `${textOf(left)} ${other} ${textOf(right)}`,
          `(${textOf(left)}) ${other} (${textOf(right)})`,
        )
      break
    }
    case 'UnaryExpression':
      if (node.operator === '!' || node.operator === '-') add('sign', textOf(node.argument as Node))
      break
    case 'AssignmentExpression':
      break
    case 'ChainExpression':
    case 'CallExpression':
      chain(node, textOf, add)
      break
    default:
  }
  if (isCondition(node, parent)) {
    add('condition', 'true')
    add('condition', 'false')
  }
  if (isReturned(node, parent) && !['Literal', 'undefined'].includes(from) && node.type !== 'Literal')
    add('return', 'undefined')
  if (parent?.type === 'ExpressionStatement' && isCall(node)) add('call', 'undefined')
  return changes
}

const cut = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 57)}…` : line
}

function isInChain(parents: readonly Node[], node: Node): boolean {
  let inner = node
  for (const parent of parents.toReversed()) {
    const isLink =
      (parent.type === 'MemberExpression' && parent.object === inner) ||
      (parent.type === 'CallExpression' && parent.callee === inner) ||
      (parent.type === 'ChainExpression' && parent.expression === inner) ||
      parent.type === 'TSNonNullExpression'
    if (!isLink) return false
    if (parent.type === 'ChainExpression') return true
    inner = parent
  }
  return false
}

function literal(node: Node, from: string, add: (kind: string, to: string) => void): void {
  const { value, bigint } = node as { value?: unknown; bigint?: unknown }
  if (typeof bigint === 'string') add('literal', `${from.slice(0, -1)} + 1n`.replace(/^(\S+) /, '$1n '))
  else if (typeof value === 'boolean') add('literal', String(!value))
  else if (typeof value === 'number') add('literal', `${from} + 1`)
  else if (typeof value === 'string') add('literal', value === '' ? "'other'" : "''")
}

/** Links of a chain without their question mark, and other methods in the place of its last one. */
function chain(
  node: Node,
  textOf: (node: Pick<Node, 'start' | 'end'>) => string,
  add: (kind: string, to: string) => void,
): void {
  const text = textOf(node)
  let link = (node.type === 'ChainExpression' ? node.expression : node) as Node
  while (link.type === 'MemberExpression' || link.type === 'CallExpression') {
    const object = (link.type === 'MemberExpression' ? link.object : link.callee) as Node
    if (link.optional === true) {
      const at = text.indexOf('?.', object.end - node.start)
      const after = text[at + 2] === '(' || text[at + 2] === '[' ? '' : '.'
      add('optional', `${text.slice(0, at)}${after}${text.slice(at + 2)}`)
    }
    const property =
      link.type === 'CallExpression' && object.type === 'MemberExpression'
        ? (object.property as Node)
        : undefined
    const name = property?.type === 'Identifier' ? textOf(property) : ''
    const other = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined
    if (property !== undefined && other !== undefined) {
      const owner = object.object as Node
      const [before, behind] = [
        text.slice(0, property.start - node.start),
        text.slice(property.end - node.start),
      ]
      if (other !== '') add('method', `${before}${other}${behind}`)
      else add('method', `${text.slice(0, owner.end - node.start)}${text.slice(link.end - node.start)}`)
    }
    link = object
  }
}

const isCall = (node: Node): boolean =>
  node.type === 'CallExpression' || node.type === 'AwaitExpression' || node.type === 'ChainExpression'

function isCondition(node: Node, parent: Node | undefined): boolean {
  if (node.type === 'Literal') return false
  return parent !== undefined && 'test' in parent && parent.test === node && parent.type !== 'SwitchCase'
}

function isReturned(node: Node, parent: Node | undefined): boolean {
  if (parent?.type === 'ReturnStatement') return true
  return parent?.type === 'ArrowFunctionExpression' && parent.body === node && node.type !== 'BlockStatement'
}

function lineStarts(source: string): number[] {
  const starts = [0]
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

const lineOf = (starts: readonly number[], at: number): number =>
  starts.findLastIndex((start) => start <= at) + 1
