import { ListParam, TextParam } from '../../../core/params/params.decorator.js';
import { ERROR_STATUSES, type ErrorStatus } from '../../error-values.js';

/** What an error is to become. */
export class UpdateErrorDto {
  /** `resolved` also closes the issue of the error; an event that comes later reopens the error. */
  @TextParam({ required: true, values: ERROR_STATUSES })
  status: ErrorStatus;
}

/** What many errors are to become. */
export class UpdateErrorsDto extends UpdateErrorDto {
  /** Ids of errors of the project; others are left aside. */
  @ListParam({ required: true, of: 'integer', commaSeparated: true })
  error_ids: number[];
}
