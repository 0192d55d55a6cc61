import { DateParam } from '../../core/params/params.decorator.js';

/** Parameters of every rotation. */
export class RotateTokenDto {
  /** The day on which the new token stops working, at 00:00 UTC; without one in a week. */
  @DateParam() expires_at?: string | null;
}
