declare module 'parse-prometheus-text-format' {
  type Family = {
    name: string
    type: string
    metrics: readonly { value: string; labels?: Readonly<Record<string, string>> }[]
  }
  const parse: (text: string) => Family[]
  export = parse
}
