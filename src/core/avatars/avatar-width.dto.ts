import { IntegerParam } from '../params/params.decorator.js';

/** Query of an avatar's image. */
export class AvatarWidthDto {
  /** Requested width in pixels; returns the smallest stored image that is at least as wide. */
  @IntegerParam({ min: 1 })
  width?: number | null;
}
