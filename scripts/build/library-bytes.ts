/** What the chain's rules hold bytes in: Node has it built in, a browser is given it with the library. */
export { Buffer } from 'buffer/index.js'
