import { BooleanParam, IntegerParam } from '../../core/params/params.decorator.js';

/** Limits of moves from and to a storage; what is absent stays as it is. */
export class UpdateStorageDto {
  /** true lets no move from or to the storage start; false also lifts a block after a full disk. */
  @BooleanParam()
  paused?: boolean | null;

  /** Moves into the storage at the same time, at most 64. */
  @IntegerParam({ min: 1 })
  max_in?: number | null;

  /** Moves out of the storage at the same time, at most 64. */
  @IntegerParam({ min: 1 })
  max_out?: number | null;

  /**
   * Maximum bytes per second that the moves of one worker read and write on the storage; null = no
   * limit.
   */
  @IntegerParam({ min: 1 })
  bytes_per_second?: number | null;
}
