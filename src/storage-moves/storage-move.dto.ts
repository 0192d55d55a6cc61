import { BooleanParam, IntegerParam, TextParam } from '../core/params/params.decorator.js';
import { MOVE_STATES, type MoveState } from './move-kinds.js';

/** Filters of the lists of moves; beyond what the API document names. */
export class ListMovesDto {
  /** Only moves in this state. */
  @TextParam({ values: MOVE_STATES })
  state?: MoveState | null;

  /** Only moves away from this storage. */
  @TextParam()
  source_storage_name?: string | null;

  /** Only moves to this storage. */
  @TextParam()
  destination_storage_name?: string | null;
}

/** Where one container shall move; without destination it is drawn by weight. */
export class ScheduleMoveDto {
  /** Where it goes; absent = drawn by weight. */
  @TextParam()
  destination_storage_name?: string | null;

  /** Only tells what the move would do. */
  @BooleanParam()
  dry_run?: boolean | null;
}

/** Which storage shall be emptied; the names are checked against the configured ones later. */
export class ScheduleAllMovesDto {
  /** The storage to empty; required. */
  @TextParam()
  source_storage_name?: string | null;

  /** Where everything goes; absent = drawn by weight for each. */
  @TextParam()
  destination_storage_name?: string | null;

  /** Only tells what would be moved. */
  @BooleanParam()
  dry_run?: boolean | null;
}

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
