import { BooleanParam, IntegerParam, TextParam } from '../core/params/params.decorator.js';
import { MOVE_STATES, type MoveState, MOVE_KINDS, type MoveKind } from './move-kinds.js';

/** Filters of the lists of moves; additions to the API document. */
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

/** Destination of one container; chosen by weight by default. */
export class ScheduleMoveDto {
  /** Destination storage; chosen by weight by default. */
  @TextParam()
  destination_storage_name?: string | null;

  /** Dry run: returns a forecast without scheduling the move. */
  @BooleanParam()
  dry_run?: boolean | null;
}

/** Storage to drain; the names are checked against the configured ones later. */
export class ScheduleAllMovesDto {
  /** Source storage; required. */
  @TextParam()
  source_storage_name?: string | null;

  /** Destination storage; chosen by weight for each one by default. */
  @TextParam()
  destination_storage_name?: string | null;

  /** Dry run: returns counts without scheduling moves. */
  @BooleanParam()
  dry_run?: boolean | null;
}

/** Limits of moves from and to a storage; absent ones are unchanged. */
export class UpdateStorageDto {
  /** true: no move from or to the storage starts; false also lifts a block after a full disk. */
  @BooleanParam()
  paused?: boolean | null;

  /** Maximum concurrent moves into the storage, at most 64. */
  @IntegerParam({ min: 1 })
  max_in?: number | null;

  /** Maximum concurrent moves out of the storage, at most 64. */
  @IntegerParam({ min: 1 })
  max_out?: number | null;

  /**
   * Maximum bytes per second that the moves of one worker read and write on the storage; null = no
   * limit.
   */
  @IntegerParam({ min: 1 })
  bytes_per_second?: number | null;
}

/** Query parameters of the moves page. */
export class ListMovePageDto extends ListMovesDto {
  /** Kind of the moves; all by default. */
  @TextParam({ values: MOVE_KINDS })
  kind?: MoveKind | null;
}

/** Form for the move of one container. */
export class ScheduleMovePageDto extends ScheduleMoveDto {
  /** Kind of container. */
  @TextParam({ required: true, values: MOVE_KINDS })
  kind: MoveKind;

  /** Its id or, for projects and groups, its full path. */
  @TextParam({ required: true })
  container: string;
}
