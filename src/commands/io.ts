/** Where a command writes and what can stop it. Data goes to `out`, talk to `err`. */
export type CommandIo = {
  out(line: string): void
  err(line: string): void
  /** Aborted on SIGINT, SIGTERM and SIGHUP. */
  signal: AbortSignal
}
