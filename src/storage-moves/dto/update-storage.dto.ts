import { BooleanParam, IntegerParam } from '../../core/params/params.decorator.js';

/** Limits of moves from and to a storage; what is absent stays as it is. */
export class UpdateStorageDto {
  @BooleanParam()
  paused?: boolean | null;

  @IntegerParam({ min: 1 })
  max_in?: number | null;

  @IntegerParam({ min: 1 })
  max_out?: number | null;

  /** null = no limit. */
  @IntegerParam({ min: 1 })
  bytes_per_second?: number | null;
}
