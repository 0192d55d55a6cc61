import { FileParam } from '../../core/params/params.decorator.js';
import { InvalidParamsError } from '../../core/errors.js';

/** PUT /user/avatar */
export class OwnAvatarDto {
  /** PNG, JPEG, GIF or WebP image of at most 200 KiB, as multipart/form-data; empty removes it. */
  @FileParam()
  avatar?: Buffer | null;
}

/** Throws 400 unless the parameter was given; empty counts, since it removes the avatar. */
export function assertAvatarGiven(dto: OwnAvatarDto): void {
  if (dto.avatar === undefined) throw new InvalidParamsError(['avatar is missing']);
}
