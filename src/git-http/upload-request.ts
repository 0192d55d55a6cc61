import { packetLength } from './packet-lines.js';

const OBJECT_ID = '[0-9a-f]{40}';
const LINES = [
  // Protocols 0 and 1, and arguments of `fetch` in protocol 2.
  `(?:want|have) ${OBJECT_ID}(?:[ \\0].*)?`,
  `shallow ${OBJECT_ID}`,
  'deepen [1-9]\\d*',
  'deepen-since \\d+',
  'deepen-not .+',
  'deepen-relative|done|thin-pack|no-progress|include-tag|ofs-delta|sideband-all|wait-for-done',
  'filter (?:blob:none|blob:limit=\\d+[kmg]?|tree:\\d+|object:type=\\w+)',
  // Protocol 2.
  'command=(?:ls-refs|fetch)',
  '(?:agent|session-id|server-option)=.*',
  'object-format=sha1',
  'peel|symrefs|unborn',
  'ref-prefix .+',
];
const KNOWN_LINE = new RegExp(`^(?:${LINES.join('|')})\\n?$`, 's');

/**
 * Returns true if git must be able to answer this beginning of a request to upload-pack. After a
 * failure that distinguishes invalid requests from server errors, for which git has no exit code.
 */
export function isUploadRequest(bytes: Buffer, isWhole: boolean): boolean {
  let offset = 0;
  while (offset < bytes.length) {
    const length = packetLength(bytes, offset);
    if (length === null || offset + length > bytes.length) return !isWhole;
    if (Number.isNaN(length)) return false;
    const line = bytes.toString('latin1', offset + 4, offset + Math.max(length, 4));
    if (length > 2 && !KNOWN_LINE.test(line)) return false;
    offset += Math.max(length, 4);
  }
  return offset > 0;
}
