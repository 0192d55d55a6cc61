/** One line of Git's wire format (gitprotocol-common(5), pkt-line). */
export function packetLine(text: string): string {
  return `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, '0')}${text}`;
}

/**
 * Length of the packet that begins at `offset`, its four digits included; 0 = flush, 1 and 2 =
 * delimiters without content. null while the digits are not all there, NaN when they are none.
 */
export function packetLength(bytes: Buffer, offset: number): number | null {
  if (offset + 4 > bytes.length) return null;
  const digits = bytes.toString('latin1', offset, offset + 4);
  const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : NaN;
  // Three has no meaning, four is a line without content.
  return length === 3 ? NaN : length;
}

/**
 * The lines of one message that a flush packet ends, each without its line end; null stands for
 * the delimiter. null for anything that is not exactly one such message.
 */
export function readPackets(body: Buffer): (string | null)[] | null {
  const lines: (string | null)[] = [];
  let offset = 0;
  for (;;) {
    const length = packetLength(body, offset) ?? NaN;
    if (length === 0) return offset + 4 === body.length ? lines : null;
    if (length === 1) lines.push(null);
    else if (!(length > 4) || offset + length > body.length) return null;
    else lines.push(body.toString('utf8', offset + 4, offset + length).replace(/\n$/, ''));
    offset += Math.max(length, 4);
  }
}
