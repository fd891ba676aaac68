/** What stands in the files that are written for a wallet. */
export const CAST_TEXT = {
  commandFile: '# One of these, on the machine of the wallet. It signs and sends nothing.',
  sendFile:
    '# One of these, on the machine of the wallet, with an execution endpoint in the place of RPC. It signs and sends.',
}
