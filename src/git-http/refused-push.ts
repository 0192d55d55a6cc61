import { packetLine } from './packet-lines.js';
import type { PushStart } from './push-commands.js';

const FLUSH = '0000';
const REPORT = 1;
const PROGRESS = 2;
/** A packet of side-band-64k has at most 65,520 bytes, its length and band included. */
const MAX_CONTENT = 65_515;

/**
 * Returns git's answer to a push whose commands are all refused, as if by the pre-receive hook
 * (gitprotocol-pack(5), "Report Status"): the client shows the reason.
 */
export function refusalReport(
  { refs, capabilities }: Pick<PushStart, 'refs' | 'capabilities'>,
  reason: string,
): Buffer {
  const isReported = capabilities.some((name) => /^report-status(?:-v2)?$/.test(name));
  const lines = refs.map((ref) => packetLine(`ng ${ref} pre-receive hook declined\n`));
  const report = Buffer.from(
    isReported ? [packetLine('unpack ok\n'), ...lines, FLUSH].join('') : '',
  );
  if (!capabilities.includes('side-band-64k')) return report;
  const packets = [sideBand(PROGRESS, Buffer.from(`Guildhall: ${reason}\n`))];
  for (let at = 0; at < report.length; at += MAX_CONTENT) {
    packets.push(sideBand(REPORT, report.subarray(at, at + MAX_CONTENT)));
  }
  return Buffer.concat([...packets, Buffer.from(FLUSH)]);
}

function sideBand(band: number, content: Buffer): Buffer {
  const length = (content.length + 5).toString(16).padStart(4, '0');
  return Buffer.concat([Buffer.from(length), Buffer.from([band]), content]);
}
