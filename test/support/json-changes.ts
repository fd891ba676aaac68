import type { JsonData } from '../../src/core/wizard/journal/fields.ts'

/** Data with one thing changed; `path` says where. */
type Change = { path: string; kind: 'removed' | 'of another kind' | 'extra'; data: JsonData }

type Fields = { readonly [key: string]: JsonData | undefined }

/** The data with each single field, at any depth, removed, changed to another kind of JSON, or put in. */
export function changesOf(data: JsonData, path = ''): Change[] {
  const changed: Change = { path, kind: 'of another kind', data: otherKind(data) }
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return [changed]
  const fields = data as Fields
  const inner = Object.entries(fields).flatMap(([key, value = null]): Change[] => {
    const at = path === '' ? key : `${path}.${key}`
    return [
      { path: at, kind: 'removed', data: without(fields, key) },
      ...changesOf(value, at).map((change) => ({ ...change, data: { ...fields, [key]: change.data } })),
    ]
  })
  return [changed, ...inner, { path, kind: 'extra', data: { ...fields, surplus: 1 } }]
}

function without(fields: Fields, key: string): JsonData {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== key))
}

function otherKind(data: JsonData): JsonData {
  if (typeof data === 'number') return String(data)
  return typeof data === 'string' ? 7 : 'another'
}
