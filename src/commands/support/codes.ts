/** Every code that an error of this program can have: what `docs/errors.md` explains. */
export const ERROR_CODES: readonly string[] = `
usage.option usage.no-such-command usage.no-network usage.no-such-network usage.no-home usage.no-rehearsal
install.forbidden install.temporary install.library
validator.unknown-index
client.unreachable client.timeout client.says-nothing client.malformed client.too-large client.unusable
client.wrong-service client.unauthorized client.rate-limited client.not-offered client.not-found
client.not-ready client.bad-request client.reverted client.rejected client.failed
http.bad-url http.unreachable http.local http.timeout http.closed http.redirect http.too-large http.tls
http.no-tls http.not-http
network.field network.unreadable network.clash
genesis-file.bad-field genesis-file.not-json genesis-file.no-deposits genesis-file.other-root
home.missing home.unreadable home.field
key-file.bad-field key-file.not-json key-file.wrong-type key-file.out-of-range
doctor.no-key
deposit.bad-field deposit.bad-address deposit.bad-credentials deposit.bad-calldata deposit.bad-log
deposit.bad-file deposit.other-deposit deposit.not-taken deposit.self-test-failed
sign.no-precompile
wallet.unreadable wallet.not-as-prepared wallet.gate-closed wallet.in-use wallet.no-account
keystore.bad-field keystore.not-json keystore.too-heavy keystore.wrong-password keystore.other-account
signer.cancelled signer.bad-request signer.unsafe-file signer.file-changed signer.other-key signer.no-terminal
signer.descriptor-refused signer.other-purpose signer.failed
consensus.slot_order consensus.unknown_validator consensus.amount
proofs.no-such-validator proofs.state-mismatch proofs.state-unproven proofs.receipts-differ
verify.not-found
journal.damaged journal.newer journal.older journal.another journal.held journal.unwritable journal.closed
guard.bytes guard.refused guard.there
lock.unavailable lock.older-version lock.no-place
session.looks-only session.left session.repeated
settings.damaged settings.later-version
file.missing file.denied file.not-a-file file.too-large file.exists file.not-ours file.open-to-others
file.no-space file.poisoned file.failed
exec.missing exec.not-executable exec.unsafe exec.timeout exec.too-much-output exec.killed exec.no-room
tool.failed tool.unreadable tool.other-answer tool.home-incomplete tool.not-asked
watch.port watch.held watch.not-kept watch.damaged
watch-config.fields watch-config.unreadable
outbox.damaged
rehearsal.ended rehearsal.gone rehearsal.not-typed rehearsal.other-scenario rehearsal.not-started
rehearsal.wish
devnet.signature-undecided devnet.refused devnet.port devnet.node-refusal devnet.engine-fault
anvil.missing anvil.loader anvil.library anvil.forbidden anvil.machine anvil.unusable anvil.notReady
anvil.foreignChain anvil.died anvil.unreachable anvil.slotRefused anvil.rpc
internal.fault
`
  .trim()
  .split(/\s+/)
