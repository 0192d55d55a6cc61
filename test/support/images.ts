import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** A picture in one colour, 40 x 30 pixels unless given. */
export function picture(
  format: 'png' | 'jpeg' | 'gif' | 'webp' | 'tiff' = 'png',
  { width = 40, height = 30, colour = '#3056d3' } = {},
): Promise<Buffer> {
  return blank({ width, height, colour }).toFormat(format).toBuffer();
}

/** A photo that says where it was taken. */
export function photoWithPosition(): Promise<Buffer> {
  return blank({ width: 60, height: 40, colour: '#2a9d5c' })
    .jpeg()
    .withExif({
      IFD0: { Artist: 'Ada Lovelace' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
    })
    .toBuffer();
}

function blank({ width, height, colour }: { width: number; height: number; colour: string }) {
  return sharp({ create: { width, height, channels: 3, background: colour } });
}

/** A black square of one bit per pixel: a file a thousandth of what it decodes to. */
export function blackPng(edge: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(edge, 0);
  header.writeUInt32BE(edge, 4);
  header[8] = 1;
  const pixels = Buffer.alloc(edge * (1 + Math.ceil(edge / 8)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
}
