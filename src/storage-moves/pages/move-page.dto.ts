import { TextParam } from '../../core/params/params.decorator.js';
import { MOVE_KINDS, type MoveKind } from '../move-kinds.js';
import { ListMovesDto, ScheduleAllMovesDto, ScheduleMoveDto } from '../storage-move.dto.js';

/** Query parameters of the moves page. */
export class ListMovePageDto extends ListMovesDto {
  /** Kind of the moves; projects by default. */
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

/** Form for emptying a storage. */
export class ScheduleAllMovesPageDto extends ScheduleAllMovesDto {
  /** Kind of container. */
  @TextParam({ required: true, values: MOVE_KINDS })
  kind: MoveKind;
}
