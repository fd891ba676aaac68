/** Why the address in a field of a form is not taken. */
export const FIELD_FAULTS_TEXT = {
  'no-address': 'Type an address such as http://127.0.0.1:8545.',
  credentials: 'Leave the name and password out: what is typed here is kept for the next start.',
  sameServer:
    'The same server as the first one: it counts once. Give one of another operator, or leave this empty.',
}
