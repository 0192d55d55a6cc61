import { IntegerParam } from '../params/params.decorator.js';

/** Query of an avatar's image. */
export class AvatarWidthDto {
  /** Requested width in pixels; the nearest stored one that is not smaller is sent. */
  @IntegerParam({ min: 1 })
  width?: number | null;
}
