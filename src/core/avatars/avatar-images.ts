import { createHash } from 'node:crypto';
import type { Sharp, SharpOptions } from 'sharp';
import type { EntityManager } from 'typeorm';
import { Semaphore } from '../concurrency.js';
import { ValidationFailedError } from '../errors.js';
import { AVATAR_WIDTHS, type AvatarWidth, type AvatarKind } from './avatar.js';
import { Avatar } from './avatars.repository.js';

const MAX_BYTES = 200 * 1024;
/** Of width and height; decoded, such an image takes 64 MiB. */
const MAX_EDGE = 4096;
const DECODE_SECONDS = 5;
const QUALITY = 85;
const DIGEST_LENGTH = 32;

/** First bytes of the formats that are accepted; nothing else reaches a decoder. */
const SIGNATURES: readonly ((bytes: Buffer) => boolean)[] = [
  (bytes) => bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')),
  (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  (bytes) => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6)),
  (bytes) => /^RIFF[^]{4}WEBP/.test(bytes.toString('latin1', 0, 12)),
];

/** Loaders of libvips that stay enabled, one for each accepted format. */
const LOADERS = ['Png', 'Jpeg', 'Nsgif', 'Webp'].map((format) => `VipsForeignLoad${format}Buffer`);

const DECODER_OPTIONS: SharpOptions = {
  limitInputPixels: MAX_EDGE * MAX_EDGE,
  failOn: 'error',
  // Only the first frame of an animation.
  pages: 1,
};

/** An avatar as it is stored: one WebP image per width, named by a digest of them all. */
export interface AvatarImages {
  digest: string;
  images: { width: AvatarWidth; content: Buffer }[];
}

/** Bounds memory: one image is decoded at a time. */
const decoding = new Semaphore({ capacity: 1, queue: 16 });
let decoder: Promise<Decoder> | undefined;

/**
 * Returns the square images to store for an uploaded `avatar`: null for one that is removed,
 * undefined when it stays. Re-encodes them, so that only the pixels of the upload survive, neither
 * positions nor scripts. Throws 400 for a file that is too big, no image or damaged, and 503 during
 * too many concurrent uploads.
 */
export async function processAvatar(
  upload: Buffer | null | undefined,
): Promise<AvatarImages | null | undefined> {
  if (upload === undefined || upload === null) return upload;
  if (upload.length > MAX_BYTES) throw invalid('is too big (should be at most 200 KiB)');
  if (!SIGNATURES.some((matches) => matches(upload))) throw unsupported();
  return decoding.run(() => scale(upload));
}

async function scale(upload: Buffer): Promise<AvatarImages> {
  // Loaded with the first upload: the decoder takes 20 MB, and most processes never need it.
  decoder ??= loadDecoder();
  const decode = await decoder;
  // Reads the header only, so there is no limit yet.
  const { width, height } = await decode(upload, { limitInputPixels: false })
    .metadata()
    .catch(refuse);
  if (Math.max(width, height) > MAX_EDGE) {
    throw invalid(`is too large (should be at most ${MAX_EDGE} x ${MAX_EDGE} pixels)`);
  }
  const largest = await square(decode(upload), Math.max(...AVATAR_WIDTHS))
    .png()
    .toBuffer()
    .catch(refuse);
  const images = await Promise.all(
    AVATAR_WIDTHS.map(async (edge) => {
      const content = await square(decode(largest), edge).webp({ quality: QUALITY }).toBuffer();
      return { width: edge, content };
    }),
  );
  const hash = createHash('sha256');
  for (const { content } of images) hash.update(content);
  return { digest: hash.digest('hex').slice(0, DIGEST_LENGTH), images };
}

type Decoder = (content: Buffer, options?: SharpOptions) => Sharp;

async function loadDecoder(): Promise<Decoder> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  return (content, options) =>
    sharp(content, { ...DECODER_OPTIONS, ...options }).timeout({ seconds: DECODE_SECONDS });
}

/** Rotates the image upright and crops it to a centred square. */
function square(image: Sharp, edge: number): Sharp {
  return image.autoOrient().resize(edge, edge, { fit: 'cover' });
}

function refuse(): never {
  throw unsupported();
}

function unsupported(): ValidationFailedError {
  return invalid(
    'file format is not supported. Please try one of the following supported formats: ' +
      'png, jpg, jpeg, gif, webp',
  );
}

function invalid(problem: string): ValidationFailedError {
  return new ValidationFailedError({ avatar: [problem] });
}

const OWNER_PROPERTIES = { user: 'userId', group: 'groupId', project: 'projectId' } as const;

/**
 * Replaces the owner's images, deletes them for null and keeps them for undefined. The digest in
 * the owner's row is for the caller to write.
 */
export async function storeAvatar(
  tx: EntityManager,
  owner: { kind: AvatarKind; id: number },
  avatar: AvatarImages | null | undefined,
): Promise<void> {
  if (avatar === undefined) return;
  const key = { [OWNER_PROPERTIES[owner.kind]]: owner.id };
  await tx.delete(Avatar, key);
  if (avatar === null) return;
  const { digest, images } = avatar;
  await tx.insert(
    Avatar,
    images.map((image) => ({ ...image, ...key, digest })),
  );
}
