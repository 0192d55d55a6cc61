import { TextParam } from '../../core/params/params.decorator.js';
import { MOVE_STATES, type MoveState } from '../move-states.js';

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
