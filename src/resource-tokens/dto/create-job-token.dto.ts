import { IntegerParam } from '../../core/params/params.decorator.js';

/** Parameters of a new job token. */
export class CreateJobTokenDto {
  /** Seconds until the token ends, at most a day: 3600 when absent. */
  @IntegerParam({ min: 1 })
  expires_in?: number | null;
}
