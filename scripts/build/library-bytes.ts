import { Buffer as BrowserBuffer } from 'buffer/index.js'

/** What the chain's rules hold bytes in: Node has it built in, a browser is given it with the library. */
export const Buffer = BrowserBuffer
