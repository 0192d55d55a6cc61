import { InvalidParamsError } from '../errors.js';
import { FileParam, IntegerParam } from '../params/params.decorator.js';

/** An avatar alone: `PUT /user/avatar` and the forms of the settings pages. */
export class AvatarDto {
  /** PNG, JPEG, GIF or WebP image of at most 200 KiB, as multipart/form-data; empty removes it. */
  @FileParam()
  avatar?: Buffer | null;
}

/** Throws 400 unless the parameter was given; empty counts, since it removes the avatar. */
export function assertAvatarGiven(dto: AvatarDto): void {
  if (dto.avatar === undefined) throw new InvalidParamsError(['avatar is missing']);
}

/** Query of an avatar's image. */
export class AvatarWidthDto {
  /** Requested width in pixels; returns the smallest stored image that is at least as wide. */
  @IntegerParam({ min: 1 })
  width?: number | null;
}
