import { IntegerParam, TextParam } from '../../core/params/params.decorator.js';

/** GET /avatar */
export class FindAvatarDto {
  /** Public email address of the user. */
  @TextParam({ required: true })
  email: string;

  /** Requested width in pixels. */
  @IntegerParam({ min: 1 })
  size?: number | null;
}
